import type { Row, Shape } from '../../base/stored.ts';
import type { Db } from '../../engine/db.ts';
import { sql } from '../../engine/sql.ts';
import { nvarchar } from '../../tds/types/index.ts';
import { inLine, notStarted } from '../jobs/hand-out.ts';

/**
 * Deals items not started round the partitions, one each a round, until the limit is reached; a partition that runs out
 * leaves its share to the others. Only the items of the shares are read, whatever else waits.
 */
export async function interleaved<S extends Shape>(db: Db, row: S, limit: number): Promise<Row<S>[]> {
  const hands = await shares(db, row, limit);
  const dealt: Row<S>[] = [];
  for (let round = 0; dealt.length < limit; round++) {
    const next = hands.flatMap((hand) => hand.slice(round, round + 1));
    if (next.length === 0) break;
    dealt.push(...next.slice(0, limit - dealt.length));
  }
  return dealt;
}

/** The first items of each partition: equal shares of the limit, and larger ones where others have too few. */
async function shares<S extends Shape>(db: Db, row: S, limit: number): Promise<Row<S>[][]> {
  const partitions = await partitionsInLine(db, limit);
  const hands = new Map<string, Row<S>[]>(partitions.map((partition) => [partition, []]));
  let unlimited = partitions;
  let share = 0;
  for (;;) {
    const spent = partitions
      .filter((partition) => !unlimited.includes(partition))
      .reduce((sum, partition) => sum + (hands.get(partition)?.length ?? 0), 0);
    const larger = unlimited.length === 0 ? 0 : Math.ceil((limit - spent) / unlimited.length);
    if (larger <= share) return [...hands.values()];
    share = larger;
    for (const partition of unlimited) {
      const pages = await Array.fromAsync(notStarted(db, row, share, sql`and partition_id = ${partition}`));
      hands.set(partition, pages.flat());
    }
    unlimited = unlimited.filter((partition) => hands.get(partition)?.length === share);
  }
}

/** The first partitions with jobs in line; one probe of an index each, however many jobs a partition has. */
async function partitionsInLine(db: Db, most: number): Promise<string[]> {
  const found = await db.all(
    { Partition: nvarchar('max') },
    sql`
      with recursive found (partition_id) as (
        select min(partition_id) from jobs where ${inLine}
        union all
        select (select min(partition_id) from jobs where ${inLine} and partition_id > found.partition_id)
        from found where found.partition_id is not null
      )
      select partition_id as "Partition" from found where partition_id is not null limit ${most}`,
  );
  return found.map(({ Partition }) => Partition);
}
