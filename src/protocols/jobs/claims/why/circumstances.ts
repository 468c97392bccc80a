import type { Db } from '../../../../engine/db.ts';
import { sql } from '../../../../engine/sql.ts';
import { orNull } from '../../../../procedure/declare.ts';
import { bigint, bit, datetime, int } from '../../../../tds/types/index.ts';
import { inLine } from '../../hand-out.ts';
import { isPresent } from '../presence.ts';
import { type Circumstances, mostCounted } from './reason.ts';

const job = { Key: bigint, CreateTime: datetime, CancelTime: orNull(datetime), Submitted: bit, Own: bit };

/** What is known about a job, to explain why its items wait. */
export interface JobCircumstances extends Circumstances {
  readonly key: bigint;
  /** Items not started of the jobs ahead of it in the queue. */
  readonly ahead: number;
}

/** What is known about a job; undefined if it does not exist. */
export async function circumstancesOf(db: Db, now: Date, JobId: bigint): Promise<JobCircumstances | undefined> {
  const found = await db.first(
    job,
    sql`
      select job_key as "Key", create_time as "CreateTime", cancel_time as "CancelTime", submitted as "Submitted",
        own as "Own"
      from jobs where job_id = ${JobId}`,
  );
  if (found === undefined) return undefined;
  const { Key, CreateTime, CancelTime, Submitted, Own } = found;
  const ahead = await db.first(
    { Count: int },
    sql`
      select count(*) as "Count" from (
        select 1 as one from jobs j join items i on i.open_in = j.job_key and i.start_time is null
        where ${inLine} and (j.create_time, j.job_id) < (${CreateTime}, ${JobId})
        limit ${mostCounted + 1}) counted`,
  );
  return {
    key: Key,
    isSubmitted: Submitted,
    cancelTime: CancelTime,
    isWorkedOn: await isWorkedOn(db, now, Own),
    ahead: ahead?.Count ?? 0,
  };
}

/** True if a worker that claims from such a job is present, or somebody works without claims. */
async function isWorkedOn(db: Db, now: Date, isOwn: boolean): Promise<boolean> {
  const there = await db.first(
    { One: int },
    sql`
      select 1 as "One"
      where (select 1 from workers w where ${isPresent(now)} ${isOwn ? sql`` : sql`and w.own = 0`} limit 1) is not null
        or (
          select 1 from jobs j
          where j.submitted = 1 and j.cancel_time is null and j.running_since is not null
            and (select 1 from items i
              where i.open_in = j.job_key and i.start_time is not null and i.leased_until is null limit 1) is not null
          limit 1) is not null`,
  );
  return there !== undefined;
}

/** Items not started of a job up to an item of one of its groups. */
export async function notStartedUpTo(db: Db, key: bigint, group: number, item: number): Promise<number> {
  const before = await db.first(
    { Count: int },
    sql`
      select count(*) as "Count" from (
        select 1 as one from items i
        where i.open_in = ${key} and i.start_time is null and (i.group_id, i.item_id) <= (${group}, ${item})
        limit ${mostCounted + 1}) counted`,
  );
  return before?.Count ?? 0;
}
