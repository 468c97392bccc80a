import type { Db } from '../../engine/db.ts';
import { sql } from '../../engine/sql.ts';
import { orNull } from '../../procedure/declare.ts';
import { bigint, datetime } from '../../tds/types/index.ts';
import { noteWaiting } from './hints.ts';
import { type ItemName, isNamed } from './named-item.ts';

const putBackItem = { Key: bigint, StopTime: orNull(datetime) };

/**
 * Returns a failed item to the queue for another attempt if it may have one and meets a condition; returns whether it
 * did.
 *
 * The specifications print "@NoRetry is 0 or AttemptsRemaining is greater than 0". Read literally, their own worked
 * example fails and an item without attempts is retried for ever; Granary uses "and". This is the only place that
 * decides it.
 */
export async function putBack(
  db: Db,
  name: ItemName,
  NoRetry: boolean | null,
  { condition = sql``, changes = sql`` } = {},
): Promise<boolean> {
  if (NoRetry !== false) return false;
  const item = await db.first(
    putBackItem,
    sql`
      update items set start_time = null, worker = null, leased_until = null ${changes}
      from jobs j
      where ${isNamed(name)} and items.attempts_remaining > 0 ${condition}
      returning items.job_key as "Key", items.stop_time as "StopTime"`,
  );
  if (item === undefined) return false;
  if (item.StopTime === null) await noteWaiting(db, item.Key);
  return true;
}
