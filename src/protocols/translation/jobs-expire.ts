import { sql } from '../../engine/sql.ts';
import { procedure } from '../../procedure/declare.ts';
import { optional, required } from '../../procedure/param.ts';
import { bigint, bit, datetime, uniqueidentifier } from '../../tds/types/index.ts';
import { forgetJobs } from '../jobs/forget.ts';
import { keptPartition } from '../jobs/partition.ts';
import { forgetStoppedItems } from './forget-items.ts';

export const jobsExpire = procedure({
  name: 'proc_JobsExpire',
  section: 'MS-TSSPROC 3.1.5.13',
  summary: 'Deletes one translation job, or old jobs and finished items.',
  // Calls that finish items by rows must not run meanwhile: an expiry sees everything that stopped before its moment.
  access: 'serial',
  leavesWork: true,
  params: {
    TimeThreshold: optional(datetime, null, 'Only what was created, cancelled or finished before; NULL is no limit.'),
    PartitionId: optional(uniqueidentifier, null, 'Jobs of this partition; NULL means jobs without one.'),
    AllPartitions: optional(bit, null, 'One means the jobs of all partitions.'),
    JobId: optional(bigint, null, 'This job alone, whatever its state.'),
    IncludeActiveJobs: required(bit, 'One deletes old jobs in any state, zero only what is over.'),
  },
  outcomes: { done: { code: 0, meaning: 'Clients ignore the code.' } },
  async handle({ db, now }, { TimeThreshold, PartitionId, AllPartitions, JobId, IncludeActiveJobs }) {
    const gate = AllPartitions === true ? sql`true` : sql`j.partition_id = ${keptPartition(PartitionId)}`;
    const isOlder = TimeThreshold === null ? sql`true` : sql`j.create_time < ${TimeThreshold}`;
    if (JobId !== null) {
      await forgetJobs(db, sql`${gate} and j.job_id = ${JobId}`);
    } else if (IncludeActiveJobs) {
      await forgetJobs(db, sql`${gate} and ${isOlder}`);
    } else {
      await forgetJobs(
        db,
        TimeThreshold === null
          ? sql`${gate} and (j.cancel_time is not null or ${isFinished})`
          : sql`${gate} and (
              j.cancel_time < ${TimeThreshold}
              or (j.submitted = 0 and ${isOlder})
              or (${isFinished} and ${noItemStoppedSince(TimeThreshold)}))`,
      );
      await forgetStoppedItems(db, now, gate, TimeThreshold);
    }
    return { outcome: 'done' };
  },
});

/** All items of the job `j` have stopped. A job without items is not finished: it waits for its groups. */
const isFinished = sql`(
  (select 1 from items i where i.open_in = j.job_key limit 1) is null
  and j.stops_until > j.expired_before
  and (select 1 from items i where i.job_key = j.job_key and i.stop_time >= j.expired_before limit 1) is not null)`;

/** Newer items come last and were mostly started last: if the job's hint is too rough, the search starts there. */
const noItemStoppedSince = (moment: Date) => sql`(
  j.stops_until <= ${moment}
  or (select 1 from items i where i.job_key = j.job_key and i.stop_time >= ${moment}
    order by i.group_id desc, i.item_id desc limit 1) is null)`;
