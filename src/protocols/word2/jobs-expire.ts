import { sql } from '../../engine/sql.ts';
import { procedure } from '../../procedure/declare.ts';
import { nullable, optional } from '../../procedure/param.ts';
import { bigint, bit, datetime, uniqueidentifier } from '../../tds/types/index.ts';
import { forgetJobs } from '../jobs/forget.ts';
import { keptPartition } from '../jobs/partition.ts';
import { isOver } from '../word/is-over.ts';

/** The one procedure that version 2 changes: NULL is no longer all partitions, @AllPartitions is. */
export const jobsExpire = procedure({
  name: 'proc_JobsExpire',
  section: 'MS-WORDSSP2 3.2.5.5',
  summary: 'Deletes the conversion jobs that meet all of the conditions given.',
  // Calls that finish items by rows must not run meanwhile: an expiry sees everything that stopped before its moment.
  access: 'serial',
  leavesWork: true,
  params: {
    TimeThreshold: optional(datetime, null, 'Only jobs created before this moment (UTC); NULL is no limit.'),
    PartitionId: optional(uniqueidentifier, null, 'Jobs of this partition; NULL means jobs without one.'),
    AllPartitions: optional(bit, null, 'One means the jobs of all partitions.'),
    JobId: optional(bigint, null, 'Only this job; NULL means all jobs.'),
    IncludeActiveJobs: nullable(bit, 'One deletes active jobs too; zero and NULL spare them.'),
  },
  outcomes: { done: { code: 0, meaning: 'Clients ignore the code.' } },
  async handle({ db }, { TimeThreshold, PartitionId, AllPartitions, JobId, IncludeActiveJobs }) {
    await forgetJobs(
      db,
      sql`
        ${AllPartitions === true ? sql`true` : sql`j.partition_id = ${keptPartition(PartitionId)}`}
        ${TimeThreshold === null ? sql`` : sql`and j.create_time < ${TimeThreshold}`}
        ${JobId === null ? sql`` : sql`and j.job_id = ${JobId}`}
        ${IncludeActiveJobs === true ? sql`` : sql`and ${isOver}`}`,
    );
    return { outcome: 'done' };
  },
});
