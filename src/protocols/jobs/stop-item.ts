import type { Db, Together } from '../../engine/db.ts';
import { demanded, lookedUp, type Sql, sql } from '../../engine/sql.ts';
import { orNull } from '../../procedure/declare.ts';
import { bigint, bit, datetime } from '../../tds/types/index.ts';
import { isStopNoted, noteStops, settleOne } from './hints.ts';
import { type ItemName, isNamed, itemKey, stopTime } from './named-item.ts';

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

/** What finishing an item changes besides its StopTime. */
interface Finishing {
  readonly changes: Sql;
  /** For many items that are finished with the same changes. */
  readonly together?: Together['form'];
}

/** A way to finish items that is the same for all of them, so `changes` has no values. Created once. */
export const finishing = (changes: Sql): Finishing => ({
  changes,
  together: {
    columns: { Now: 'bigint', JobId: 'bigint', GroupId: 'bigint', ItemId: 'bigint' },
    statement: (rows) => sql`
      update items set stop_time = ${stopTime(sql`t."Now"`)}, leased_until = null, ${changes}
      from ${lookedUp(sql`${rows} t`, sql`jobs`, sql`j`, sql`j.job_id = t."JobId"`)}
      where ${isNamed({ JobId: sql`t."JobId"`, GroupId: sql`t."GroupId"`, ItemId: sql`t."ItemId"` })}
      returning ${nothingElse} as "Stopped"`,
  },
});

/**
 * The same as `stopItem` if nobody asks whether it did: such calls are committed together with their single statement
 * where possible, and those that finish different items in the same way with one statement.
 */
export async function finishItem(
  db: Db,
  now: Date,
  name: ItemName,
  { changes, together: form }: Finishing,
): Promise<void> {
  if (db.last === undefined) {
    if (db.isHere !== true || !(await finishStarted(db, now, name, changes))) await stopItem(db, now, name, changes);
    return;
  }
  const { JobId, GroupId, ItemId } = name;
  const together = form && { form, row: [now, JobId, GroupId, ItemId], what: itemKey(JobId, GroupId, ItemId) };
  await db.last(sql`${stopping(now, name, changes)} returning ${nothingElse} as "Stopped"`, together);
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
