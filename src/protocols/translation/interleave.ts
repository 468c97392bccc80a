import type { Row, Shape } from '../../base/stored.ts';
import type { Db } from '../../engine/db.ts';
import { type Sql, sql } from '../../engine/sql.ts';
import { nvarchar } from '../../tds/types/index.ts';
import { inLine, type Narrowing, notStarted } from '../jobs/hand-out.ts';

/**
 * Deals items that have not been started to the partitions in rounds, one item each, until the limit is reached; a
 * partition that runs out leaves its share to the others. Only the items handed out are read, whatever else is waiting.
 */
export async function interleaved<S extends Shape>(
  db: Db,
  row: S,
  limit: number,
  narrowing: Narrowing = {},
): Promise<Row<S>[]> {
  const hands = await handsFor(db, row, limit, narrowing);
  const dealt: Row<S>[] = [];
  for (let round = 0; dealt.length < limit; round++) {
    const before = dealt.length;
    for (const hand of hands) {
      const item = hand[round];
      if (item !== undefined && dealt.length < limit) dealt.push(item);
    }
    if (dealt.length === before) break;
  }
  return dealt;
}

/**
 * The first items of as many partitions as there are items to distribute; of more if the hints of some were outdated
 * (hints.ts).
 */
async function handsFor<S extends Shape>(db: Db, row: S, limit: number, narrowing: Narrowing): Promise<Row<S>[][]> {
  for (let most = limit; ; most *= 2) {
    const partitions = await partitionsInLine(db, most, narrowing.narrowed ?? sql``);
    const hands = await shares(db, row, limit, partitions, narrowing);
    if (partitions.length < most || hands.flat().length >= limit) return hands;
  }
}

/** The first items of each partition: equal shares of the limit, larger ones if other partitions have too few. */
async function shares<S extends Shape>(
  db: Db,
  row: S,
  limit: number,
  allPartitions: readonly string[],
  { narrowed = sql``, locking = sql`` }: Narrowing,
): Promise<Row<S>[][]> {
  const hands = new Map<string, Row<S>[]>();
  let partitions = allPartitions;
  let left = limit;
  let share = 0;
  while (partitions.length > 0 && Math.ceil(left / partitions.length) > share) {
    share = Math.ceil(left / partitions.length);
    const unexhausted: string[] = [];
    for (const partition of partitions) {
      const own = { narrowed: sql`and partition_id = ${partition} ${narrowed}`, locking };
      const pages = await Array.fromAsync(notStarted(db, row, share, own));
      const hand = pages.flat();
      hands.set(partition, hand);
      if (hand.length === share) unexhausted.push(partition);
      else left -= hand.length;
    }
    partitions = unexhausted;
  }
  return [...hands.values()];
}

/** The first partitions with jobs in the queue; one index lookup each, however many jobs a partition has. */
async function partitionsInLine(db: Db, most: number, narrowed: Sql): Promise<string[]> {
  const found = await db.all(
    { Partition: nvarchar('max') },
    sql`
      with recursive found (partition_id) as (
        select min(partition_id) from jobs where ${inLine} ${narrowed}
        union all
        select (select min(partition_id) from jobs where ${inLine} ${narrowed} and partition_id > found.partition_id)
        from found where found.partition_id is not null
      )
      select partition_id as "Partition" from found where partition_id is not null limit ${most}`,
  );
  return found.map(({ Partition }) => Partition);
}
