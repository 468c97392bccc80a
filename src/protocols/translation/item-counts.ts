import { ruleBroken, sqlError } from '../../base/messages/sql-error.ts';
import type { Db } from '../../engine/db.ts';
import { sql } from '../../engine/sql.ts';
import { bigint } from '../../tds/types/index.ts';

/** Stands for all partitions in proc_GetItemCount; jobs without a partition are counted under it. */
export const noPartition = '00000000-0000-0000-0000-000000000000';

export const millisecondsInAnHour = 3_600_000;
/** A count is an int on the wire. */
export const mostItems = 2 ** 31 - 1;

/** The number of an hour, counted since 1970 in UTC. */
export const hourOf = (moment: Date): number => Math.floor(moment.getTime() / millisecondsInAnHour);

/** The moment at which an hour begins. */
export const startOf = (hour: number): Date => new Date(hour * millisecondsInAnHour);

/** The number of the hour that @Date and @Hour name. */
export function hourNamed(day: Date, Hour: number): number {
  if (Hour < 0 || Hour > 23) throw ruleBroken(`@Hour is ${Hour}; it must be in the range 0 to 23.`);
  return hourOf(day) + Hour;
}

const counted = { Items: bigint };

/** How many items were added in the 24 hours that end with the given one: in one partition, or (NULL) in all. */
export async function itemsInTheDayTo(db: Db, hour: number, partition: string | null): Promise<bigint> {
  const sum = await db.first(
    counted,
    sql`
      select cast(coalesce(sum(items), 0) as bigint) as "Items" from item_counts
      where hour > ${hour - 24} and hour <= ${hour} ${partition === null ? sql`` : sql`and partition_id = ${partition}`}`,
  );
  return sum?.Items ?? 0n;
}

/** Refuses a number of items that would lower a count. */
export function refuseNegative(ItemCount: number): void {
  if (ItemCount < 0) throw ruleBroken(`@ItemCount is ${ItemCount}; a number of items is not negative.`);
}

/** Adds to the count of an hour and partition. */
export async function countItems(db: Db, hour: number, partition: string, ItemCount: number): Promise<void> {
  const count = await db.first(
    counted,
    sql`
      insert into item_counts (hour, partition_id, items) values (${hour}, ${partition}, ${ItemCount})
      on conflict (hour, partition_id) do update set items = item_counts.items + excluded.items
      returning items as "Items"`,
  );
  if (count !== undefined && count.Items > mostItems) throw sqlError(8115, 'expression', 'int');
}
