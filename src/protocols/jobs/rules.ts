import { sql } from '../../engine/sql.ts';
import type { Rule } from '../../procedure/kind.ts';

/** Invariants of jobs, groups and items; rows that proc_JobsExpire has left for upkeep are excluded. */
export const jobRules: readonly Rule[] = [
  {
    rule: 'a group belongs to a job',
    broken: sql`
      select g.job_key as broken from groups g
      where not exists (select 1 from jobs j where j.job_key = g.job_key)
        and not exists (select 1 from purges p where p.job_key = g.job_key)`,
  },
  {
    rule: 'an item belongs to a group',
    broken: sql`
      select i.job_key as broken from items i
      where not exists (select 1 from groups g where g.job_key = i.job_key and g.group_id = i.group_id)
        and not exists (select 1 from purges p where p.job_key = i.job_key)`,
  },
  {
    rule: 'a job has had at least as many items as it has',
    broken: sql`
      select j.job_key as broken from jobs j
      where j.item_total < (select count(*) from items i where i.job_key = j.job_key)`,
  },
  {
    rule: 'a job of which no item has stopped has all the items that it has had',
    broken: sql`
      select j.job_key as broken from jobs j
      where j.stops_until = 0 and j.item_total > (select count(*) from items i where i.job_key = j.job_key)`,
  },
  {
    rule: 'a job that has items to hand out says so',
    broken: sql`
      select j.job_key as broken from jobs j
      where j.waiting = 0 and exists (select 1 from items i where i.open_in = j.job_key and i.start_time is null)`,
  },
  {
    rule: 'an item in progress started no earlier than its job says',
    broken: sql`
      select i.job_key as broken from items i join jobs j on j.job_key = i.open_in
      where i.start_time is not null and (j.running_since is null or j.running_since > i.start_time)`,
  },
  {
    rule: 'an item stopped within the times that its job says',
    broken: sql`
      select i.job_key as broken from items i join jobs j on j.job_key = i.job_key
      where i.stop_time >= j.expired_before
        and (j.first_stop is null or j.first_stop > i.stop_time or j.stops_until <= i.stop_time)`,
  },
  {
    rule: 'an item that is claimed is in progress, on a worker, under a numbered lease',
    broken: sql`
      select i.job_key as broken from items i
      where i.leased_until is not null
        and (i.start_time is null or i.stop_time is not null or i.worker is null or i.lease is null)`,
  },
];
