import type { Db } from '../../engine/db.ts';
import { sql } from '../../engine/sql.ts';
import { countItems, hourOf, itemsInTheDayTo, noPartition, refuseNegative } from './item-counts.ts';

/** The items that proc_AddJob announces. */
interface AnnouncedItems {
  readonly PartitionId: string | null;
  readonly ItemCount: number | null;
  readonly MaxItemsPerDay: number | null;
  readonly MaxItemsPerPartitionPerDay: number | null;
}

/**
 * Counts the items that a new job announces; false if a limit does not allow them. The specification says that
 * proc_AddJob checks the limits but not who counts: it counts here, as proc_UpdateItemCount would; otherwise the limits
 * would never take effect.
 */
export async function reserveItems(db: Db, now: Date, announced: AnnouncedItems): Promise<boolean> {
  const { ItemCount, MaxItemsPerDay, MaxItemsPerPartitionPerDay } = announced;
  if (ItemCount === null) return true;
  refuseNegative(ItemCount);
  const hour = hourOf(now);
  const partition = announced.PartitionId ?? noPartition;
  if (MaxItemsPerDay !== null) await noteLimit(db, '', MaxItemsPerDay);
  if (MaxItemsPerPartitionPerDay !== null) await noteLimit(db, partition, MaxItemsPerPartitionPerDay);
  const isExceeded = async (limit: number | null, among: string | null) =>
    limit !== null && (await itemsInTheDayTo(db, hour, among)) + BigInt(ItemCount) > limit;
  if (await isExceeded(MaxItemsPerDay, null)) return false;
  if (await isExceeded(MaxItemsPerPartitionPerDay, partition)) return false;
  await countItems(db, hour, partition, ItemCount);
  return true;
}

/** Stores a changed limit, so that people can see how much is left. */
const noteLimit = (db: Db, partition: string, most: number): Promise<number> =>
  db.run(sql`
    insert into item_limits (partition_id, most) values (${partition}, ${most})
    on conflict (partition_id) do update set most = excluded.most where item_limits.most <> excluded.most`);
