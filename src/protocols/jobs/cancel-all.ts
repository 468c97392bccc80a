import type { Db } from '../../engine/db.ts';
import { sql } from '../../engine/sql.ts';
import { hasOpenItem, hasSkippedItem } from './open-items.ts';

/**
 * Cancels every job that is unsubmitted, or active: with an item whose StartTime or StopTime is NULL. Jobs cancelled
 * before keep their CancelTime. (HasActiveJobs and GetJobs each define "active" differently.)
 */
export async function cancelAllActive(db: Db, now: Date): Promise<void> {
  await db.run(sql`
    update jobs as j set cancel_time = ${now}
    where j.cancel_time is null and (j.submitted = 0 or ${hasOpenItem} or ${hasSkippedItem})`);
}
