import { fold } from '../../base/text/collation.ts';
import { type Columns, orNull, systemProcedure } from '../../procedure/declare.ts';
import { systemSection } from '../../procedure/describe.ts';
import { optional, required } from '../../procedure/param.ts';
import type { TableKey, TemporaryColumn } from '../../procedure/relations/tsql-view.ts';
import { char, int, smallint } from '../../tds/types/index.ts';
import { type CatalogRelation, catalogOf } from '../catalog.ts';
import { measure } from '../measures.ts';
import { sysname } from '../names.ts';
import { checkQualifier, nameTest } from '../pattern.ts';

const columns = {
  SCOPE: orNull(smallint),
  COLUMN_NAME: sysname,
  DATA_TYPE: smallint,
  TYPE_NAME: sysname,
  PRECISION: int,
  LENGTH: int,
  SCALE: orNull(smallint),
  PSEUDO_COLUMN: smallint,
} satisfies Columns;

/** ODBC's SQL_PC_NOT_PSEUDO. */
const ordinary = 1;

/** ODBC's SQL_SCOPE_SESSION. */
const session = 2;

const versionsOf = ({ columns: all }: CatalogRelation): readonly TemporaryColumn[] =>
  all.filter(({ type }) => type.name === 'timestamp');

/** The columns of the primary key, or of a unique key that allows no NULL. */
function identifying({ columns: all, keys }: CatalogRelation): readonly TemporaryColumn[] {
  const columnsOf = (key: TableKey) => all.filter(({ name }) => key.columns.some((each) => fold(each) === fold(name)));
  const primary = keys.find(({ kind }) => kind === 'PRIMARY KEY');
  if (primary !== undefined) return columnsOf(primary);
  const unique = keys.find((key) => key.isUnique && columnsOf(key).every(({ nullable }) => !nullable));
  return unique === undefined ? [] : columnsOf(unique);
}

const specialColumns = (name: string, modern: boolean) =>
  systemProcedure({
    name,
    section: systemSection,
    summary: 'Lists the columns that identify a row, or that change with it.',
    access: 'none',
    params: {
      table_name: required(sysname, 'The table.'),
      table_owner: optional(sysname, null, 'Its schema.'),
      table_qualifier: optional(sysname, null, 'The database: the current one.'),
      col_type: optional(char(1), 'R', 'R for what identifies a row, V for what changes with it.'),
      scope: optional(char(1), 'T', 'How long a row must stay identified.'),
      nullable: optional(char(1), 'U', 'Whether the columns may be NULL.'),
      ODBCVer: optional(int, 2, 'The version of ODBC.'),
    },
    outcomes: { listed: { code: 0, meaning: 'Always.', sets: { columns } } },
    handle(call, { table_name, table_owner, table_qualifier, col_type, ODBCVer }) {
      checkQualifier(table_qualifier, call.database);
      const isTable = nameTest(table_name, false);
      const isOwner = nameTest(table_owner, false);
      const wantsVersions = /^v/i.test(col_type ?? '');
      const special = catalogOf(call)
        .relations.filter((of) => isTable(of.name) && isOwner(of.schema))
        .flatMap((of) => (wantsVersions ? versionsOf(of) : identifying(of)));
      const rows = special.map((column) => {
        const { dataType, precision, length, scale } = measure(column.type, { version: ODBCVer ?? 2, modern });
        return {
          SCOPE: wantsVersions ? null : session,
          COLUMN_NAME: column.name,
          DATA_TYPE: dataType,
          TYPE_NAME: column.identity === undefined ? column.type.name : `${column.type.name} identity`,
          PRECISION: precision,
          LENGTH: length,
          SCALE: scale,
          PSEUDO_COLUMN: ordinary,
        };
      });
      return { outcome: 'listed', sets: { columns: rows } };
    },
  });

/** sp_special_columns: the columns that identify a row, or that change with it (row versions). */
export const spSpecialColumns = specialColumns('sp_special_columns', false);
/** sp_special_columns as SQL Server 2005 has it. */
export const spSpecialColumns90 = specialColumns('sp_special_columns_90', false);
/** sp_special_columns with the types of SQL Server 2008. */
export const spSpecialColumns100 = specialColumns('sp_special_columns_100', true);
