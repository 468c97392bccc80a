import type { Db } from '../../engine/db.ts';
import { demanded, type Sql, sql } from '../../engine/sql.ts';
import { orNull } from '../../procedure/declare.ts';
import { bigint, bit, datetime } from '../../tds/types/index.ts';
import { isStopNoted, noteStops, settleOne } from './hints.ts';
import { type ItemName, isNamed, stopTime } from './named-item.ts';

const stopped = { Key: bigint, StartTime: orNull(datetime), StopTime: datetime, Noted: orNull(bit) };

/**
 * Sets the StopTime of the item, if it exists and meets a condition, and what else changes with it; returns whether it
 * did. Thousands of calls a second come here, so the ordinary one is a single statement that writes a single row.
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
  // It was not started until now. Workers start what they finish, so this is rare.
  if (item.StartTime === null) await settleOne(db, item.Key);
  if (item.Noted === null) await noteStops(db, [item.Key], item.StopTime, item.StopTime);
  return true;
}

/**
 * The same if nobody asks whether it did: such calls are committed together with their single statement where possible.
 */
export async function finishItem(db: Db, now: Date, name: ItemName, changes: Sql): Promise<void> {
  if (db.last !== undefined) await db.last(sql`${stopping(now, name, changes)} returning ${nothingElse} as "Stopped"`);
  else if (db.isHere !== true || !(await finishStarted(db, now, name, changes))) await stopItem(db, now, name, changes);
}

/**
 * Finishes a started item of a job whose row need not change; false if there is more to do, or nothing. An update whose
 * subqueries look up the job takes SQLite half as long as one that joins it, collects what to change and returns it.
 */
async function finishStarted(db: Db, now: Date, { JobId, GroupId, ItemId }: ItemName, changes: Sql): Promise<boolean> {
  const finished = await db.run(sql`
    update items set stop_time = ${now}, leased_until = null, ${changes}
    where job_key = (
        select job_key from jobs
        where job_id = ${JobId} and expired_before <= ${now} and first_stop <= ${now} and stops_until > ${now})
      and group_id = ${GroupId} and item_id = ${ItemId} and start_time is not null
      and (stop_time is null or stop_time >= (select expired_before from jobs where job_id = ${JobId}))`);
  return finished > 0;
}

/** Fails if `stopItem` would have more to do. */
const nothingElse = demanded(sql`items.start_time is not null and ${isStopNoted} is not null`);

const stopping = (now: Date, name: ItemName, changes: Sql): Sql => sql`
  update items set stop_time = ${stopTime(now)}, leased_until = null, ${changes}
  from jobs j
  where ${isNamed(name)}`;
