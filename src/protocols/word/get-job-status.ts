import { sql } from '../../engine/sql.ts';
import { procedure } from '../../procedure/declare.ts';
import { nullable, optional } from '../../procedure/param.ts';
import { bigint, uniqueidentifier } from '../../tds/types/index.ts';
import { isThere, statusCounts } from '../jobs/item-class.ts';
import { jobStatus } from '../jobs/job-status.ts';

export const getJobStatus = procedure({
  name: 'proc_GetJobStatus',
  section: 'MS-WORDSSP 3.1.5.7',
  summary: 'Counts the items of a conversion job by class.',
  access: 'read',
  params: {
    JobId: nullable(bigint, 'The job; NULL is none.'),
    PartitionId: optional(uniqueidentifier, null, 'The job’s partition; NULL does not ask for it.'),
  },
  outcomes: { done: { code: 0, meaning: 'Clients ignore the code.', sets: { ResultSet0: jobStatus } } },
  handle({ db }, { JobId, PartitionId }) {
    const inPartition = PartitionId === null ? sql`` : sql`and j.partition_id = ${PartitionId}`;
    const rows = db.rows(
      jobStatus,
      sql`
        select ${statusCounts}
        from jobs j left join items i on i.job_key = j.job_key and ${isThere}
        where j.job_id = ${JobId} ${inPartition}
        group by j.job_key, j.name`,
    );
    return { outcome: 'done', sets: { ResultSet0: rows } };
  },
});
