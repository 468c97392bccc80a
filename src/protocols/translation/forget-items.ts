import type { Db } from '../../engine/db.ts';
import { list, type Sql, sql } from '../../engine/sql.ts';
import { bigint } from '../../tds/types/index.ts';
import { leaveToUpkeep } from '../jobs/forget.ts';

/**
 * Deletes the items that stopped before a threshold (NULL: all that stopped) from the jobs `j` of a gate.
 *
 * A job's expired_before makes everything that stopped before it invisible at once, and upkeep removes the rows. It never
 * goes beyond the present, so that what stops later is not caught; items that stopped in this very moment are deleted
 * one by one. An item that stops while a clock lags behind expired_before gets that moment as its StopTime.
 */
export async function forgetStoppedItems(db: Db, now: Date, gate: Sql, threshold: Date | null): Promise<void> {
  const before = threshold !== null && threshold < now ? threshold : now;
  const jobs = await db.all(
    { Key: bigint },
    sql`
      update jobs as j set expired_before = ${before}
      where ${gate} and j.expired_before < ${before} and (
        select 1 from items i
        where i.job_key = j.job_key and i.stop_time >= j.expired_before and i.stop_time < ${before}
        limit 1) is not null
      returning job_key as "Key"`,
  );
  await leaveToUpkeep(
    db,
    jobs.map(({ Key }) => Key),
    before,
  );
  if (before === now) await deleteStoppedSince(db, now, gate, threshold);
}

async function deleteStoppedSince(db: Db, now: Date, gate: Sql, threshold: Date | null): Promise<void> {
  const isOver = threshold === null ? sql`` : sql`and stop_time < ${threshold}`;
  const jobs = await db.all(
    { Key: bigint },
    sql`
      select j.job_key as "Key" from jobs j
      where ${gate} and (
        select 1 from items where job_key = j.job_key and stop_time >= ${now} ${isOver} limit 1) is not null`,
  );
  if (jobs.length === 0) return;
  const keys = list(
    'bigint',
    jobs.map(({ Key }) => Key),
  );
  await db.run(sql`delete from items where job_key in ${keys} and stop_time >= ${now} ${isOver}`);
}
