import { type Columns, orNull, systemProcedure } from '../../procedure/declare.ts';
import { systemSection } from '../../procedure/describe.ts';
import { optional, required } from '../../procedure/param.ts';
import type { TemporaryColumn } from '../../procedure/relations/tsql-view.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import { bit, int, nvarchar, smallint } from '../../tds/types/index.ts';
import { type CatalogRelation, catalogOf } from '../catalog.ts';
import { sysname } from '../names.ts';
import { noUserType, odbcColumns, odbcRow, tdsType, tdsTypeColumn, userTypeColumns } from '../odbc-columns.ts';
import { checkQualifier, nameTest } from '../pattern.ts';

const table = {
  table_name: required(nvarchar(384), 'A pattern of table and view names.'),
  table_owner: optional(nvarchar(384), null, 'A pattern of schema names.'),
  table_qualifier: optional(sysname, null, 'The database: the current one.'),
  column_name: optional(nvarchar(384), null, 'A pattern of column names.'),
};
const odbcVersion = optional(int, 2, 'The version of ODBC that the numbers of types are meant for.');
const usePattern = optional(bit, true, 'Whether %, _ and [] are wildcards.');

const columns = {
  TABLE_QUALIFIER: orNull(sysname),
  TABLE_OWNER: orNull(sysname),
  TABLE_NAME: sysname,
  COLUMN_NAME: sysname,
  ...odbcColumns,
} satisfies Columns;

interface Entry {
  readonly of: CatalogRelation;
  readonly column: TemporaryColumn;
  readonly ordinal: number;
}

interface Wanted {
  readonly table_name: string;
  readonly table_owner: string | null;
  readonly table_qualifier: string | null;
  readonly column_name: string | null;
}

function* entries(call: SystemCall, wanted: Wanted, pattern: boolean | null): Generator<Entry> {
  checkQualifier(wanted.table_qualifier, call.database);
  const isTable = nameTest(wanted.table_name, pattern);
  const isOwner = nameTest(wanted.table_owner, pattern);
  const isColumn = nameTest(wanted.column_name, pattern);
  for (const of of catalogOf(call).relations) {
    if (!isTable(of.name) || !isOwner(of.schema)) continue;
    for (const [at, column] of of.columns.entries()) {
      if (isColumn(column.name)) yield { of, column, ordinal: at + 1 };
    }
  }
}

const rowOf = ({ of, column, ordinal }: Entry, database: string, version: number | null, modern: boolean) => ({
  TABLE_QUALIFIER: database,
  TABLE_OWNER: of.schema,
  TABLE_NAME: of.name,
  COLUMN_NAME: column.name,
  ...odbcRow({ ...column, ordinal }, { version: version ?? 2, modern }),
});

const typeOf = ({ column }: Entry) => tdsType(column.type, column.nullable);

/** sp_columns: the columns of tables and views, as ODBC's SQLColumns requires them. */
export const spColumns = systemProcedure({
  name: 'sp_columns',
  section: systemSection,
  summary: 'Lists the columns of tables and views.',
  access: 'none',
  params: { ...table, ODBCVer: odbcVersion },
  outcomes: { listed: { code: 0, meaning: 'Always.', sets: { columns: { ...columns, ...tdsTypeColumn } } } },
  handle: (call, input) => ({
    outcome: 'listed',
    sets: {
      columns: entries(call, input, true).map((entry) => ({
        ...rowOf(entry, call.database, input.ODBCVer, false),
        ...typeOf(entry),
      })),
    },
  }),
});

/** sp_columns as SQL Server 2005 has it. */
export const spColumns90 = systemProcedure({
  name: 'sp_columns_90',
  section: systemSection,
  summary: 'Lists the columns of tables and views, with the columns that SQL Server 2005 added.',
  access: 'none',
  params: { ...table, ODBCVer: odbcVersion, fUsePattern: usePattern },
  outcomes: {
    listed: { code: 0, meaning: 'Always.', sets: { columns: { ...columns, ...userTypeColumns, ...tdsTypeColumn } } },
  },
  handle: (call, input) => ({
    outcome: 'listed',
    sets: {
      columns: entries(call, input, input.fUsePattern).map((entry) => ({
        ...rowOf(entry, call.database, input.ODBCVer, false),
        ...noUserType,
        ...typeOf(entry),
      })),
    },
  }),
});

const columnKinds = {
  SS_IS_SPARSE: smallint,
  SS_IS_COLUMN_SET: smallint,
  SS_IS_COMPUTED: smallint,
  SS_IS_IDENTITY: smallint,
};
const kindOf = ({ column }: Entry) => ({
  SS_IS_SPARSE: 0,
  SS_IS_COLUMN_SET: 0,
  SS_IS_COMPUTED: column.isComputed ? 1 : 0,
  SS_IS_IDENTITY: column.identity ? 1 : 0,
});

/** sp_columns as SQL Server 2008 and later have it, with the types of that time. */
export const spColumns100 = systemProcedure({
  name: 'sp_columns_100',
  section: systemSection,
  summary: 'Lists the columns of tables and views, with the types and columns that SQL Server 2008 added.',
  access: 'none',
  params: {
    ...table,
    NameScope: optional(int, 0, 'What is looked through; only tables and views are there.'),
    ODBCVer: odbcVersion,
    fUsePattern: usePattern,
  },
  outcomes: {
    listed: {
      code: 0,
      meaning: 'Always.',
      sets: { columns: { ...columns, ...columnKinds, ...userTypeColumns, ...tdsTypeColumn } },
    },
  },
  handle: (call, input) => ({
    outcome: 'listed',
    sets: {
      columns: entries(call, input, input.fUsePattern).map((entry) => ({
        ...rowOf(entry, call.database, input.ODBCVer, true),
        ...kindOf(entry),
        ...noUserType,
        ...typeOf(entry),
      })),
    },
  }),
});
