import { sql } from '../../engine/sql.ts';

/**
 * Whether the job `j` has an item without StopTime. A scalar subquery, because a planner that turns an `exists` into a
 * join may read every open item of the database.
 */
export const hasOpenItem = sql`(select 1 from items i where i.open_in = j.job_key limit 1) is not null`;

/** Whether the job `j` has an item that stopped without ever having started. */
export const hasSkippedItem = sql`
  (select 1 from items i where i.skipped_in = j.job_key and i.stop_time >= j.expired_before limit 1) is not null`;
