import { sql } from '../../../engine/sql.ts';
import type { Awaited } from '../../../procedure/arrivals.ts';
import { inLine } from '../hand-out.ts';
import { lapsedItems } from './lease.ts';

/** Leaves out all jobs except those with Granary's own settings. */
export const ownOnly = sql`and own = 1`;

const workOf =
  (own: boolean): Awaited =>
  (now) =>
    sql`
    select 1 as "One"
    where (
        select 1 from jobs
        where ${inLine} ${own ? ownOnly : sql``}
          and (select 1 from items i where i.open_in = jobs.job_key and i.start_time is null limit 1) is not null
        limit 1) is not null
      or (select 1 ${lapsedItems(now, own)} limit 1) is not null`;

/** Whether there is an item to claim: not started, or with an expired lease. Returns a row if so. */
export const work: Awaited = workOf(false);

/** The same for jobs with Granary's own settings. */
export const ownWork: Awaited = workOf(true);
