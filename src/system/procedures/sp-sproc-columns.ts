import { type HandlerInput, orNull, systemProcedure } from '../../procedure/declare.ts';
import { systemSection } from '../../procedure/describe.ts';
import { optional } from '../../procedure/param.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import { bit, int, nvarchar, smallint } from '../../tds/types/index.ts';
import { type CalledParam, calledParams } from '../called-params.ts';
import { sysname } from '../names.ts';
import { noUserType, odbcColumns, odbcRow, tdsType, tdsTypeColumn, userTypeColumns } from '../odbc-columns.ts';
import { checkQualifier, nameTest, unnumbered } from '../pattern.ts';
import { schemaOfType } from '../type-facts.ts';

const params = {
  procedure_name: optional(nvarchar(390), '%', 'A pattern of procedure names.'),
  procedure_owner: optional(nvarchar(384), null, 'A pattern of schema names.'),
  procedure_qualifier: optional(sysname, null, 'The database: the current one.'),
  column_name: optional(nvarchar(384), null, 'A pattern of parameter names.'),
  ODBCVer: optional(int, 2, 'The version of ODBC that the numbers of types are meant for.'),
  fUsePattern: optional(bit, true, 'Whether %, _ and [] are wildcards.'),
};

const columns = {
  PROCEDURE_QUALIFIER: orNull(sysname),
  PROCEDURE_OWNER: orNull(sysname),
  PROCEDURE_NAME: nvarchar(134),
  COLUMN_NAME: sysname,
  COLUMN_TYPE: smallint,
  ...odbcColumns,
};

/** SQL_PARAM_INPUT, SQL_PARAM_INPUT_OUTPUT and SQL_RETURN_VALUE of ODBC. */
const columnTypes = { input: 1, output: 2, returned: 5 };

function entries(call: SystemCall, input: HandlerInput<typeof params>): Generator<CalledParam> {
  checkQualifier(input.procedure_qualifier, call.database);
  const test = (argument: string | null) => nameTest(argument, input.fUsePattern);
  const isWanted = test(unnumbered(input.procedure_name));
  return calledParams(call, isWanted, test(input.procedure_owner), test(input.column_name));
}

const rowOf = (param: CalledParam, database: string, version: number | null, modern: boolean) => ({
  PROCEDURE_QUALIFIER: database,
  PROCEDURE_OWNER: param.of.schema,
  PROCEDURE_NAME: `${param.of.name};1`,
  COLUMN_NAME: param.name,
  COLUMN_TYPE: columnTypes[param.direction],
  ...odbcRow(param, { version: version ?? 2, modern }),
});

/** sp_sproc_columns: the parameters of procedures, as ODBC's SQLProcedureColumns requires them. */
export const spSprocColumns = systemProcedure({
  name: 'sp_sproc_columns',
  section: systemSection,
  summary: 'Lists the parameters of procedures.',
  access: 'none',
  params,
  outcomes: { listed: { code: 0, meaning: 'Always.', sets: { parameters: { ...columns, ...tdsTypeColumn } } } },
  handle: (call, input) => ({
    outcome: 'listed',
    sets: {
      parameters: entries(call, input).map((entry) => ({
        ...rowOf(entry, call.database, input.ODBCVer, false),
        ...tdsType(entry.type, entry.nullable),
      })),
    },
  }),
});

const later = (name: string, modern: boolean) =>
  systemProcedure({
    name,
    section: systemSection,
    summary: 'Lists the parameters of procedures, with the columns that a later SQL Server added.',
    access: 'none',
    params,
    outcomes: {
      listed: {
        code: 0,
        meaning: 'Always.',
        sets: {
          parameters: {
            ...columns,
            SS_TYPE_CATALOG_NAME: orNull(sysname),
            SS_TYPE_SCHEMA_NAME: orNull(sysname),
            ...userTypeColumns,
            ...tdsTypeColumn,
          },
        },
      },
    },
    handle: (call, input) => ({
      outcome: 'listed',
      sets: {
        parameters: entries(call, input).map((entry) => ({
          ...rowOf(entry, call.database, input.ODBCVer, modern),
          SS_TYPE_CATALOG_NAME: schemaOfType(entry.type) && call.database,
          SS_TYPE_SCHEMA_NAME: schemaOfType(entry.type),
          ...noUserType,
          ...tdsType(entry.type, entry.nullable),
        })),
      },
    }),
  });

/** sp_sproc_columns as SQL Server 2005 has it. */
export const spSprocColumns90 = later('sp_sproc_columns_90', false);
/** sp_sproc_columns as SQL Server 2008 and later have it, with the types of that time. */
export const spSprocColumns100 = later('sp_sproc_columns_100', true);
