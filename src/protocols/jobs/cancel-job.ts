import { sql } from '../../engine/sql.ts';
import { procedure } from '../../procedure/declare.ts';
import { optional, required } from '../../procedure/param.ts';
import { bigint, uniqueidentifier } from '../../tds/types/index.ts';
import { keptPartition } from './partition.ts';

/** proc_CancelJob as all job protocols specify it. */
export const cancelJobOf = (section: string, job: string) =>
  procedure({
    name: 'proc_CancelJob',
    section,
    summary: `Cancels a ${job} job of a partition, unless it is already cancelled.`,
    access: 'write',
    params: {
      JobId: required(bigint, 'The job to cancel.'),
      PartitionId: optional(uniqueidentifier, null, 'The job’s partition; NULL means a job without one.'),
    },
    outcomes: { done: { code: 0, meaning: 'Clients ignore the code.' } },
    async handle({ db, now }, { JobId, PartitionId }) {
      await db.run(sql`
        update jobs set cancel_time = ${now}
        where job_id = ${JobId} and partition_id = ${keptPartition(PartitionId)} and cancel_time is null`);
      return { outcome: 'done' };
    },
  });
