import { sql } from '../../engine/sql.ts';
import type { Tally } from '../../procedure/kind.ts';

/** How many of the newest jobs are counted: this must stay fast with millions of them. */
const most = 10_000;

/** Jobs by state, from hints in the job row: items are not read (hints.ts). */
const jobs: Tally = {
  name: 'jobs',
  help: `Jobs by state, of the newest ${most.toLocaleString('en')} in a database.`,
  counts: sql`
    select state, count(*) as count
    from (
      select case
          when cancel_time is not null then 'cancelled'
          when submitted = 0 then 'not_submitted'
          when running_since is not null then 'running'
          when waiting = 1 then 'waiting'
          else 'done'
        end as state
      from (select * from jobs order by job_key desc limit ${most}) newest) told
    group by state`,
};

/** The counts of a database of jobs that operators see. */
export const jobTallies: readonly Tally[] = [jobs];
