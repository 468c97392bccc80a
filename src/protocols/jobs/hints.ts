import type { Db } from '../../engine/db.ts';
import { eachEngine, list, type Sql, sql } from '../../engine/sql.ts';
import { bigint } from '../../tds/types/index.ts';

// What a job row says of its items, so that handing out work and expiry never read items in vain:   waiting = 0
// no item of the job is not started;   running_since is null   no item of the job is in progress; otherwise none
// started before that moment;   first_stop is null      no item of the job ever stopped; otherwise none that is there
// stopped before that moment;   stops_until             no item of the job stopped at that moment or later. All may
// promise too much (a job is then looked at in vain), never too little. No worker's call that ends an item writes them
// on its ordinary path: a counter there would make all workers of a job write one row.
//
// Calls that run by rows (`byRows`) do not see what others do at the same moment, and serializable ones do not conflict
// with what these have read. So a call that adds an item to the line, or claims one, writes the row of its job even if
// nothing in it changes: of two concurrent calls, the second waits for the first, and then sees its items or is run
// again.

/** An item of the job may be handed out (again). */
export async function noteWaiting(db: Db, key: bigint): Promise<void> {
  await db.run(sql`update jobs set waiting = 1 where job_key = ${key}`);
}

/** The end of a query of jobs: locks them if others may write at the same time. */
const locked = eachEngine({ sqlite: sql``, postgres: sql`for no key update` });

/**
 * Items of the jobs have started now, by a caller that locked them: the last one removes its job from the queue.
 * Returns the jobs that still exist. They are locked first, in order, so that later statements see the items of all
 * earlier holders.
 */
export async function noteClaimed(db: Db, keys: readonly bigint[], now: Date): Promise<Set<bigint>> {
  const jobs = await db.all(
    { Key: bigint },
    sql`select job_key as "Key" from jobs where job_key in ${list('bigint', keys)} order by job_key ${locked}`,
  );
  await db.run(sql`
    update jobs set
      running_since = case when running_since <= ${now} then running_since else ${now} end,
      waiting = case
        when (select 1 from items i where i.open_in = jobs.job_key and i.start_time is null limit 1) is null then 0
        else 1
      end
    where job_key in ${list('bigint', keys)}`);
  return new Set(jobs.map(({ Key }) => Key));
}

/** Items of the jobs are no longer "not started"; the last one removes the job from the queue. */
export async function settleWaiting(db: Db, keys: readonly bigint[]): Promise<void> {
  await db.run(sql`
    update jobs set waiting = 0
    where job_key in ${list('bigint', keys)} and waiting = 1
      and (select 1 from items i where i.open_in = jobs.job_key and i.start_time is null limit 1) is null`);
}

/**
 * The same for one job, by calls that may run by rows: it is locked first, and so includes the items of all earlier
 * holders.
 */
export async function settleOne(db: Db, key: bigint): Promise<void> {
  await db.first({ Key: bigint }, sql`select job_key as "Key" from jobs where job_key = ${key} ${locked}`);
  await db.run(sql`
    update jobs set waiting = 0
    where job_key = ${key} and waiting = 1
      and (select 1 from items i where i.open_in = jobs.job_key and i.start_time is null limit 1) is null`);
}

/** Items of the jobs have started now. */
export async function noteRunning(db: Db, keys: readonly bigint[], now: Date): Promise<void> {
  await db.run(sql`
    update jobs set running_since = ${now}
    where job_key in ${list('bigint', keys)} and (running_since is null or running_since > ${now})`);
}

/** How far stops_until is set ahead, in milliseconds: a worker writes the row of its job at most this often. */
const ahead = 3_600_000;

/** 1 when the row of its job allows for the StopTime that an update of `items` returns, else NULL. */
export const isStopNoted: Sql = sql`
  (select 1 from jobs where jobs.job_key = items.job_key
    and jobs.first_stop <= items.stop_time and jobs.stops_until > items.stop_time)`;

/** Items of the jobs have stopped, none before `first` and none after `last`. */
export async function noteStops(db: Db, keys: readonly bigint[], first: Date, last: Date): Promise<void> {
  await db.run(sql`
    update jobs set
      first_stop = case when first_stop <= ${first} then first_stop else ${first} end,
      stops_until = case when stops_until > ${last} then stops_until else ${last.getTime() + ahead} end
    where job_key in ${list('bigint', keys)} and (first_stop is null or first_stop > ${first} or stops_until <= ${last})`);
}
