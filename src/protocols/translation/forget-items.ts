import type { Db } from '../../engine/db.ts';
import { type Sql, sql } from '../../engine/sql.ts';
import { bigint, datetime } from '../../tds/types/index.ts';
import { leaveToUpkeep } from '../jobs/forget.ts';

/**
 * Deletes the items that stopped before a threshold (NULL: all that stopped) from the jobs `j` of a gate.
 *
 * A job's expired_before makes everything that stopped before it invisible at once, and upkeep removes the rows. To take
 * along what stopped in this very moment it goes just beyond the present; an item that stops while the clock has not
 * passed expired_before gets that moment as its StopTime (named-item.ts).
 */
export async function forgetStoppedItems(db: Db, now: Date, gate: Sql, threshold: Date | null): Promise<void> {
  const next = new Date(now.getTime() + 1);
  const before =
    threshold === null || threshold > now
      ? sql`case when j.expired_before < ${next} then ${next} else j.expired_before + 1 end`
      : sql`${threshold}`;
  const purges = await db.all(
    { Key: bigint, StoppedBefore: datetime },
    sql`
      update jobs as j set expired_before = ${before}, first_stop = ${before}
      where ${gate} and j.first_stop < ${before} and j.stops_until > j.expired_before
      returning job_key as "Key", expired_before as "StoppedBefore"`,
  );
  await leaveToUpkeep(db, purges);
}
