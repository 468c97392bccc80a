import { sql } from '../../engine/sql.ts';

/**
 * The job `j` is not active: cancelled, or all of its items (and it has some) have stopped. The text prints "a non-NULL
 * CreateTime or a non-NULL StopTime", which every job meets; CancelTime is meant, as in MS-TSSPROC 3.1.5.13.
 */
export const isOver = sql`(
  j.cancel_time is not null
  or ((select 1 from items i where i.open_in = j.job_key limit 1) is null
    and (select 1 from items i where i.job_key = j.job_key limit 1) is not null))`;
