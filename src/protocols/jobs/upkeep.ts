import { eachEngine, sql } from '../../engine/sql.ts';
import { orNull } from '../../procedure/declare.ts';
import type { Upkeep } from '../../procedure/kind.ts';
import { bigint, datetime } from '../../tds/types/index.ts';
import { endLapsed } from './claims/upkeep.ts';

/** Small enough that no call notices the step. */
const rowsInAStep = 300;
const jobsInAStep = 200;

const purge = { Key: bigint, StoppedBefore: orNull(datetime), Group: bigint, Item: bigint };
const place = { Group: bigint, Item: bigint };

/** Locks what is to be removed; what another proc_JobsExpire is about to replace is left for later. */
const locked = eachEngine({ sqlite: sql``, postgres: sql`for update skip locked` });

/** Removes the rows that proc_JobsExpire made invisible. */
export const removeExpired: Upkeep = {
  name: 'remove expired items',
  isUnseen: true,
  byRows: true,
  async step(db) {
    const next = await db.first(
      purge,
      sql`
        select job_key as "Key", stopped_before as "StoppedBefore", seen_group as "Group", seen_item as "Item"
        from purges order by job_key limit 1 ${locked}`,
    );
    if (next === undefined) return false;
    const { Key, StoppedBefore } = next;
    const isAhead = sql`job_key = ${Key} and (group_id, item_id) > (${next.Group}, ${next.Item})`;
    const last = await db.first(
      place,
      sql`
        select group_id as "Group", item_id as "Item" from items
        where ${isAhead} order by group_id, item_id limit 1 offset ${rowsInAStep - 1}`,
    );
    await db.run(sql`
      delete from items
      where ${isAhead}
        ${last === undefined ? sql`` : sql`and (group_id, item_id) <= (${last.Group}, ${last.Item})`}
        ${StoppedBefore === null ? sql`` : sql`and stop_time < ${StoppedBefore}`}`);
    if (last !== undefined) {
      await db.run(sql`update purges set seen_group = ${last.Group}, seen_item = ${last.Item} where job_key = ${Key}`);
      return true;
    }
    if (StoppedBefore === null) await db.run(sql`delete from groups where job_key = ${Key}`);
    await db.run(sql`delete from purges where job_key = ${Key}`);
    return true;
  },
};

/** How far the moment may lag before an update is worth it. */
const lag = 60_000;
const forever = Number.MAX_SAFE_INTEGER;

/**
 * Advances each job's running_since to the oldest start in progress, or clears it. Workers finish items without writing
 * the job row, so that many can finish at once; this makes up for it.
 */
export const catchUpRunning: Upkeep = {
  name: 'catch up with items in progress',
  isUnseen: true,
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

export const jobUpkeep: readonly Upkeep[] = [removeExpired, catchUpRunning, endLapsed];
