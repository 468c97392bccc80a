import { quoted } from '../../procedure/describe.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import type { CatalogRelation } from '../catalog.ts';
import { indexesOf } from '../indexes.ts';
import { ownRelations } from './objects.ts';
import type { Given, RowsByView } from './rows.ts';

/** How many rows each table has: counted, because nobody keeps count. */
async function counted(call: SystemCall): Promise<readonly { readonly of: CatalogRelation; readonly rows: bigint }[]> {
  const tables = ownRelations(call).filter(({ type }) => type === 'table');
  const stored = tables.filter(({ rows }) => rows === undefined);
  const batch = stored.map(({ schema, name }) => `select count_big(*) from ${quoted(schema)}.${quoted(name)};`);
  const sets = batch.length === 0 ? [] : await call.tsql.run(call.database, batch.join('\n'), []);
  const counts = new Map(stored.map((of, at) => [of, sets[at]?.rows[0]?.[0]]));
  return tables.map((of) => {
    const found = of.rows ?? counts.get(of);
    return { of, rows: typeof found === 'bigint' ? found : BigInt(Number(found ?? 0)) };
  });
}

/** The number of a table’s index among all that hold rows: 2^32 of them for each table. */
const partitionId = ({ id }: CatalogRelation, index: number): bigint => (BigInt(id) << 16n) + BigInt(index);

const partitions = async (call: SystemCall): Promise<Given[]> =>
  (await counted(call)).flatMap(({ of, rows }) =>
    indexesOf(of).map(({ id }) => ({
      partition_id: partitionId(of, id),
      object_id: of.id,
      index_id: id,
      hobt_id: partitionId(of, id),
      rows,
      row_count: rows,
    })),
  );

/** The views of where rows are. */
export const storageRows: RowsByView = {
  'sys.partitions': partitions,
  'sys.dm_db_partition_stats': partitions,
};
