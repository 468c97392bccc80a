import { type Columns, orNull, systemProcedure } from '../../procedure/declare.ts';
import { systemSection } from '../../procedure/describe.ts';
import { optional } from '../../procedure/param.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import { bit, int, nvarchar, tinyint, varchar } from '../../tds/types/index.ts';
import { type CatalogRelation, catalogOf } from '../catalog.ts';
import { indexesOf, isClustered } from '../indexes.ts';
import { isoNumberColumns, isoNumberRow, isoSizeColumns, isoSizeRow, isoType } from '../iso-type.ts';
import { sysname } from '../names.ts';
import { nameTest } from '../pattern.ts';
import { typeFacts } from '../type-facts.ts';

const name = orNull(sysname);
const place = {
  Catalog: optional(sysname, null, 'The database: the current one.'),
  Owner: optional(sysname, null, 'The schema.'),
  Table: optional(sysname, null, 'The table.'),
};

interface Place {
  readonly Catalog: string | null;
  readonly Owner: string | null;
  readonly Table: string | null;
}

/** The tables that a caller names; NULL stands for all, and another database has none. */
function tables(call: SystemCall, { Catalog, Owner, Table }: Place): readonly CatalogRelation[] {
  if (!nameTest(Catalog, false)(call.database)) return [];
  const isOwner = nameTest(Owner, false);
  const isTable = nameTest(Table, false);
  return catalogOf(call).relations.filter((of) => !of.system && isOwner(of.schema) && isTable(of.name));
}

const columns = {
  TABLE_CATALOG: name,
  TABLE_SCHEMA: name,
  TABLE_NAME: name,
  COLUMN_NAME: name,
  ORDINAL_POSITION: orNull(int),
  COLUMN_DEFAULT: orNull(nvarchar(4000)),
  IS_NULLABLE: orNull(varchar(3)),
  ...isoSizeColumns,
  ...isoNumberColumns,
  CHARACTER_SET_CATALOG: name,
  CHARACTER_SET_SCHEMA: name,
  CHARACTER_SET_NAME: name,
  COLLATION_CATALOG: name,
  IS_SPARSE: orNull(bit),
  IS_COLUMN_SET: orNull(bit),
  IS_FILESTREAM: orNull(bit),
} satisfies Columns;

/** What the last argument may ask for: the columns of a set of sparse ones, which no table here has. */
const ofColumnSet = 2;

/** sp_columns_managed: the columns of tables and views for GetSchema of SqlClient. */
export const spColumnsManaged = systemProcedure({
  name: 'sp_columns_managed',
  section: systemSection,
  summary: 'Lists the columns of tables and views as SqlClient’s GetSchema wants them.',
  access: 'none',
  params: {
    ...place,
    Column: optional(sysname, null, 'The column.'),
    SchemaType: optional(int, 0, '0 for the columns that SELECT * shows, 1 for all, 2 for those of a column set.'),
  },
  outcomes: { listed: { code: 0, meaning: 'Always.', sets: { columns } } },
  handle(call, input) {
    const isColumn = nameTest(input.Column, false);
    const found = input.SchemaType === ofColumnSet ? [] : tables(call, input);
    const rows = found.flatMap((of) =>
      of.columns.map((column, at) => ({
        TABLE_CATALOG: call.database,
        TABLE_SCHEMA: of.schema,
        TABLE_NAME: of.name,
        COLUMN_NAME: column.name,
        ORDINAL_POSITION: at + 1,
        COLUMN_DEFAULT: column.byDefault ?? null,
        IS_NULLABLE: column.nullable ? 'YES' : 'NO',
        ...isoSizeRow(column.type),
        ...isoNumberRow(column.type),
        CHARACTER_SET_CATALOG: null,
        CHARACTER_SET_SCHEMA: null,
        CHARACTER_SET_NAME: isoType(column.type).characterSet,
        COLLATION_CATALOG: null,
        IS_SPARSE: false,
        IS_COLUMN_SET: false,
        IS_FILESTREAM: false,
      })),
    );
    return { outcome: 'listed', sets: { columns: rows.filter(({ COLUMN_NAME }) => isColumn(COLUMN_NAME)) } };
  },
});

const owner = {
  constraint_catalog: name,
  constraint_schema: name,
  constraint_name: name,
  table_catalog: name,
  table_schema: name,
  table_name: name,
} satisfies Columns;

const ownerRow = ({ database }: SystemCall, of: CatalogRelation, index: string) => ({
  constraint_catalog: database,
  constraint_schema: of.schema,
  constraint_name: index,
  table_catalog: database,
  table_schema: of.schema,
  table_name: of.name,
});

/** sp_indexes_managed: the indexes of tables for GetSchema of SqlClient. */
export const spIndexesManaged = systemProcedure({
  name: 'sp_indexes_managed',
  section: systemSection,
  summary: 'Lists the indexes of tables as SqlClient’s GetSchema wants them.',
  access: 'none',
  params: { ...place, Name: optional(sysname, null, 'The index.') },
  outcomes: {
    listed: {
      code: 0,
      meaning: 'Always.',
      sets: { indexes: { ...owner, index_name: name, type_desc: orNull(nvarchar(60)) } },
    },
  },
  handle(call, input) {
    const isIndex = nameTest(input.Name, false);
    const indexes = tables(call, input).flatMap((of) =>
      indexesOf(of).flatMap((index) =>
        index.key === undefined || !isIndex(index.key.name)
          ? []
          : {
              ...ownerRow(call, of, index.key.name),
              index_name: index.key.name,
              type_desc: isClustered(index) ? 'CLUSTERED' : 'NONCLUSTERED',
            },
      ),
    );
    return { outcome: 'listed', sets: { indexes } };
  },
});

/** sp_indexcolumns_managed: the columns of indexes for GetSchema of SqlClient. */
export const spIndexcolumnsManaged = systemProcedure({
  name: 'sp_indexcolumns_managed',
  section: systemSection,
  summary: 'Lists the columns of indexes as SqlClient’s GetSchema wants them.',
  access: 'none',
  params: {
    ...place,
    ConstraintName: optional(sysname, null, 'The index.'),
    Column: optional(sysname, null, 'The column.'),
  },
  outcomes: {
    listed: {
      code: 0,
      meaning: 'Always.',
      sets: {
        columns: {
          ...owner,
          column_name: name,
          ordinal_position: orNull(int),
          KeyType: orNull(tinyint),
          index_name: name,
        },
      },
    },
  },
  handle(call, input) {
    const isIndex = nameTest(input.ConstraintName, false);
    const isColumn = nameTest(input.Column, false);
    const rows = tables(call, input).flatMap((of) =>
      of.keys
        .filter((key) => isIndex(key.name))
        .flatMap((key) =>
          key.columns.map((column, at) => ({
            ...ownerRow(call, of, key.name),
            column_name: column,
            ordinal_position: at + 1,
            KeyType: typeIdOf(of, column),
            index_name: key.name,
          })),
        ),
    );
    return { outcome: 'listed', sets: { columns: rows.filter(({ column_name }) => isColumn(column_name)) } };
  },
});

function typeIdOf(of: CatalogRelation, column: string): number | null {
  const type = of.columns.find((each) => each.name === column)?.type;
  return type === undefined ? null : typeFacts[type.name].id;
}
