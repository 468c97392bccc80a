import { orNull, systemProcedure } from '../../procedure/declare.ts';
import { systemSection } from '../../procedure/describe.ts';
import { optional } from '../../procedure/param.ts';
import { bit, int, nvarchar, smallint, varchar } from '../../tds/types/index.ts';
import { catalogOf } from '../catalog.ts';
import { sysname } from '../names.ts';
import { checkQualifier, nameTest, unnumbered } from '../pattern.ts';

/** ODBC's "not counted". */
const unknownCount = -1;
/** SQL Server calls every procedure a function, because each has a return value. */
const returnsValue = 2;

/** sp_stored_procedures: the procedures of the database. */
export const spStoredProcedures = systemProcedure({
  name: 'sp_stored_procedures',
  section: systemSection,
  summary: 'Lists procedures.',
  access: 'none',
  params: {
    sp_name: optional(nvarchar(390), null, 'A pattern of procedure names.'),
    sp_owner: optional(nvarchar(384), null, 'A pattern of schema names.'),
    sp_qualifier: optional(sysname, null, 'The database: the current one.'),
    fUsePattern: optional(bit, true, 'Whether %, _ and [] are wildcards.'),
  },
  outcomes: {
    listed: {
      code: 0,
      meaning: 'Always.',
      sets: {
        procedures: {
          PROCEDURE_QUALIFIER: orNull(sysname),
          PROCEDURE_OWNER: orNull(sysname),
          PROCEDURE_NAME: nvarchar(134),
          NUM_INPUT_PARAMS: int,
          NUM_OUTPUT_PARAMS: int,
          NUM_RESULT_SETS: int,
          REMARKS: orNull(varchar(254)),
          PROCEDURE_TYPE: smallint,
        },
      },
    },
  },
  handle(call, { sp_name, sp_owner, sp_qualifier, fUsePattern }) {
    checkQualifier(sp_qualifier, call.database);
    const isWanted = nameTest(unnumbered(sp_name), fUsePattern);
    const isOwner = nameTest(sp_owner, fUsePattern);
    const found = catalogOf(call).procedures.filter(({ schema, name }) => isWanted(name) && isOwner(schema));
    return {
      outcome: 'listed',
      sets: {
        procedures: found.map(({ schema, name }) => ({
          PROCEDURE_QUALIFIER: call.database,
          PROCEDURE_OWNER: schema,
          PROCEDURE_NAME: `${name};1`,
          NUM_INPUT_PARAMS: unknownCount,
          NUM_OUTPUT_PARAMS: unknownCount,
          NUM_RESULT_SETS: unknownCount,
          REMARKS: null,
          PROCEDURE_TYPE: returnsValue,
        })),
      },
    };
  },
});
