import type { Db } from '../../engine/db.ts';
import { demanded, type Sql, sql } from '../../engine/sql.ts';
import { orNull } from '../../procedure/declare.ts';
import { bigint, bit, datetime } from '../../tds/types/index.ts';
import { isStopNoted, noteStops, settleOne } from './hints.ts';
import { type ItemName, isNamed, stopTime } from './named-item.ts';

const stopped = { Key: bigint, StartTime: orNull(datetime), StopTime: datetime, Noted: orNull(bit) };

/**
 * Sets the StopTime of the named item, if it is there and meets a condition, and what else changes with it; tells whether
 * it did. Thousands of calls a second come
 * here, so the ordinary one is a single statement that writes a single row.
 */
export async function stopItem(
  db: Db,
  now: Date,
  name: ItemName,
  changes: Sql,
  condition: Sql = sql``,
): Promise<boolean> {
  const item = await db.first(
    stopped,
    sql`
      ${stopping(now, name, changes)} ${condition}
      returning items.job_key as "Key", items.start_time as "StartTime", items.stop_time as "StopTime",
        ${isStopNoted} as "Noted"`,
  );
  if (item === undefined) return false;
  // It was waiting until now. Workers start what they finish, so this is rare.
  if (item.StartTime === null) await settleOne(db, item.Key);
  if (item.Noted === null) await noteStops(db, [item.Key], item.StopTime, item.StopTime);
  return true;
}

/** The same where nobody asks whether it did: such calls are committed with their one statement where that can be. */
export async function finishItem(db: Db, now: Date, name: ItemName, changes: Sql): Promise<void> {
  if (db.last === undefined) await stopItem(db, now, name, changes);
  else await db.last(sql`${stopping(now, name, changes)} returning ${nothingElse} as "Stopped"`);
}

/** Fails where `stopItem` would have more to do. */
const nothingElse = demanded(sql`items.start_time is not null and ${isStopNoted} is not null`);

const stopping = (now: Date, name: ItemName, changes: Sql): Sql => sql`
  update items set stop_time = ${stopTime(now)}, leased_until = null, ${changes}
  from jobs j
  where ${isNamed(name)}`;
