import type { Db } from '../../engine/db.ts';
import { list, sql } from '../../engine/sql.ts';

// What a job row says of its items, so that handing out work never reads jobs that have none:
//   waiting = 0             no item of the job is not started;
//   running_since is null   no item of the job is in progress; otherwise none started before that moment.
// Both may promise too much (a job is then looked at in vain), never too little. No worker's call writes them on its
// ordinary path: a counter there would make all workers of a job write one row.

/** An item of the job may be handed out (again). */
export async function noteWaiting(db: Db, key: bigint): Promise<void> {
  await db.run(sql`update jobs set waiting = 1 where job_key = ${key} and waiting = 0`);
}

/** Items of the jobs are no longer "not started"; the last one takes the job out of the line. */
export async function settleWaiting(db: Db, keys: readonly bigint[]): Promise<void> {
  await db.run(sql`
    update jobs set waiting = 0
    where job_key in ${list('bigint', keys)} and waiting = 1
      and (select 1 from items i where i.open_in = jobs.job_key and i.start_time is null limit 1) is null`);
}

/** The same for one job; a statement of its own, since it follows each item that is finished without a start. */
export async function settleOne(db: Db, key: bigint): Promise<void> {
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
