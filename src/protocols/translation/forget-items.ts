import type { Db } from '../../engine/db.ts';
import { type Sql, sql } from '../../engine/sql.ts';
import { bigint, datetime } from '../../tds/types/index.ts';
import { leaveToUpkeep } from '../jobs/forget.ts';

/**
 * Deletes the items that stopped before a threshold (NULL: all that stopped) from the jobs `j` of a gate.
 *
 * A job's expired_before makes everything that stopped before it invisible at once, and upkeep removes the rows. It
 * never goes beyond the present, so that what stops later is not caught; items that stopped in this very moment, or
 * after it by another clock, are deleted one by one. An item that stops while a clock lags behind expired_before gets
 * that moment as its StopTime (named-item.ts).
 */
export async function forgetStoppedItems(db: Db, now: Date, gate: Sql, threshold: Date | null): Promise<void> {
  const before = threshold !== null && threshold < now ? threshold : now;
  const purges = await db.all(
    { Key: bigint, StoppedBefore: datetime },
    sql`
      update jobs as j set expired_before = ${before}, first_stop = ${before}
      where ${gate} and j.first_stop < ${before} and j.stops_until > j.expired_before and j.expired_before < ${before}
      returning job_key as "Key", expired_before as "StoppedBefore"`,
  );
  await leaveToUpkeep(db, purges);
  if (before === now) await deleteStoppedSince(db, now, gate, threshold);
}

async function deleteStoppedSince(db: Db, now: Date, gate: Sql, threshold: Date | null): Promise<void> {
  await db.run(sql`
    delete from items
    where job_key in (select j.job_key from jobs j where ${gate} and j.stops_until > ${now})
      and stop_time >= ${now} ${threshold === null ? sql`` : sql`and stop_time < ${threshold}`}`);
}
