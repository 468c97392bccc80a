import type { Db } from '../../engine/db.ts';
import { sql } from '../../engine/sql.ts';
import { orNull } from '../../procedure/declare.ts';
import type { Upkeep } from '../../procedure/kind.ts';
import { bigint, datetime } from '../../tds/types/index.ts';

/** Small enough that no call notices the step. */
const rowsInAStep = 300;
const jobsInAStep = 200;

const purge = { Key: bigint, StoppedBefore: orNull(datetime) };

/** Removes the rows that proc_JobsExpire made invisible. */
export const removeExpired: Upkeep = {
  name: 'remove expired items',
  async step(db) {
    const next = await db.first(
      purge,
      sql`select job_key as "Key", stopped_before as "StoppedBefore" from purges order by job_key limit 1`,
    );
    if (next === undefined) return false;
    const removed =
      next.StoppedBefore === null
        ? await removeAny(db, next.Key)
        : await removeStopped(db, next.Key, next.StoppedBefore);
    if (removed === rowsInAStep) return true;
    if (next.StoppedBefore === null) await db.run(sql`delete from groups where job_key = ${next.Key}`);
    await db.run(sql`delete from purges where job_key = ${next.Key}`);
    return true;
  },
};

function removeAny(db: Db, key: bigint): Promise<number> {
  return db.run(sql`
    delete from items where job_key = ${key} and (group_id, item_id) in (
      select group_id, item_id from items where job_key = ${key} order by group_id, item_id limit ${rowsInAStep})`);
}

function removeStopped(db: Db, key: bigint, before: Date): Promise<number> {
  return db.run(sql`
    delete from items where job_key = ${key} and (group_id, item_id) in (
      select group_id, item_id from items
      where job_key = ${key} and stop_time < ${before}
      order by stop_time limit ${rowsInAStep})`);
}

/** The moment may lag behind by this much before it is worth a write. */
const lag = 60_000;
const forever = Number.MAX_SAFE_INTEGER;

/**
 * Moves each job's running_since up to the oldest start in progress, or clears it. Workers finish items without writing
 * the job row, so that many can finish at once; this makes up for it.
 */
export const catchUpRunning: Upkeep = {
  name: 'catch up with items in progress',
  async step(db, now) {
    const changed = await db.run(sql`
      update jobs set running_since =
        (select min(i.start_time) from items i where i.open_in = jobs.job_key and i.start_time is not null)
      where job_key in (
        select j.job_key from jobs j
        where j.submitted = 1 and j.cancel_time is null and j.running_since < ${now.getTime() - lag}
          and coalesce(
            (select min(i.start_time) from items i where i.open_in = j.job_key and i.start_time is not null),
            ${forever}) > j.running_since + ${lag}
        limit ${jobsInAStep})`);
    return changed === jobsInAStep;
  },
};

export const jobUpkeep: readonly Upkeep[] = [removeExpired, catchUpRunning];
