import type { Row } from '../../base/stored.ts';
import { type Columns, orNull, systemProcedure } from '../../procedure/declare.ts';
import { systemSection } from '../../procedure/describe.ts';
import { optional, required } from '../../procedure/param.ts';
import { char, int, smallint, varchar } from '../../tds/types/index.ts';
import { type CatalogRelation, catalogOf } from '../catalog.ts';
import { indexesOf } from '../indexes.ts';
import { sysname } from '../names.ts';
import { checkQualifier, nameTest } from '../pattern.ts';

const columns = {
  TABLE_QUALIFIER: orNull(sysname),
  TABLE_OWNER: orNull(sysname),
  TABLE_NAME: sysname,
  NON_UNIQUE: orNull(smallint),
  INDEX_QUALIFIER: orNull(sysname),
  INDEX_NAME: orNull(sysname),
  TYPE: smallint,
  SEQ_IN_INDEX: orNull(smallint),
  COLUMN_NAME: orNull(sysname),
  COLLATION: orNull(char(1)),
  CARDINALITY: orNull(int),
  PAGES: orNull(int),
  FILTER_CONDITION: orNull(varchar(128)),
} satisfies Columns;

/** ODBC's SQL_TABLE_STAT, the row for the table itself, SQL_INDEX_CLUSTERED and SQL_INDEX_OTHER. */
const types = { tableItself: 0, clustered: 1, other: 3 };

interface Wanted {
  readonly isIndex: (name: string) => boolean;
  readonly uniqueOnly: boolean;
}

function* rowsOf(
  table: CatalogRelation,
  database: string,
  { isIndex, uniqueOnly }: Wanted,
): Generator<Row<typeof columns>> {
  const common = { TABLE_QUALIFIER: database, TABLE_OWNER: table.schema, TABLE_NAME: table.name };
  const unknown = { CARDINALITY: null, PAGES: null, FILTER_CONDITION: null };
  yield {
    ...common,
    NON_UNIQUE: null,
    INDEX_QUALIFIER: null,
    INDEX_NAME: null,
    TYPE: types.tableItself,
    SEQ_IN_INDEX: null,
    COLUMN_NAME: null,
    COLLATION: null,
    ...unknown,
  };
  for (const { key } of indexesOf(table)) {
    if (key === undefined || !isIndex(key.name) || (uniqueOnly && !key.isUnique)) continue;
    for (const [at, column] of key.columns.entries()) {
      yield {
        ...common,
        NON_UNIQUE: key.isUnique ? 0 : 1,
        INDEX_QUALIFIER: table.name,
        INDEX_NAME: key.name,
        TYPE: key.isClustered ? types.clustered : types.other,
        SEQ_IN_INDEX: at + 1,
        COLUMN_NAME: column,
        COLLATION: key.descending?.includes(column) ? 'D' : 'A',
        ...unknown,
        FILTER_CONDITION: key.filter?.slice(0, 128) ?? null,
      };
    }
  }
}

const statistics = (name: string) =>
  systemProcedure({
    name,
    section: systemSection,
    summary: 'Lists the indexes of a table.',
    access: 'none',
    params: {
      table_name: required(sysname, 'The table.'),
      table_owner: optional(sysname, null, 'Its schema.'),
      table_qualifier: optional(sysname, null, 'The database: the current one.'),
      index_name: optional(sysname, '%', 'A pattern of index names.'),
      is_unique: optional(char(1), 'N', 'Y for unique indexes only.'),
      accuracy: optional(char(1), 'Q', 'E for exact numbers.'),
    },
    outcomes: { listed: { code: 0, meaning: 'Always.', sets: { indexes: columns } } },
    handle(call, { table_name, table_owner, table_qualifier, index_name, is_unique }) {
      checkQualifier(table_qualifier, call.database);
      const isTable = nameTest(table_name, false);
      const isOwner = nameTest(table_owner, false);
      const wanted = { isIndex: nameTest(index_name, true), uniqueOnly: /^y/i.test(is_unique ?? '') };
      const indexes = catalogOf(call)
        .relations.filter(({ type, schema, name: table }) => type === 'table' && isTable(table) && isOwner(schema))
        .flatMap((table) => [...rowsOf(table, call.database, wanted)]);
      return { outcome: 'listed', sets: { indexes } };
    },
  });

/** sp_statistics: the indexes of a table. */
export const spStatistics = statistics('sp_statistics');
/** sp_statistics as SQL Server 2008 has it. */
export const spStatistics100 = statistics('sp_statistics_100');
