import { sql } from '../../engine/sql.ts';
import type { Tally } from '../../procedure/kind.ts';

/** So many of the newest jobs are looked at: a look must stay short where there are millions. */
const most = 10_000;

/** Jobs by what they are about to do; a job row tells that of its items, which are not read (hints.ts). */
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

/** What operators see counted of a database of jobs. */
export const jobTallies: readonly Tally[] = [jobs];
