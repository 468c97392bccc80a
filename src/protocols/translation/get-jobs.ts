import { sql } from '../../engine/sql.ts';
import { orNull, procedure } from '../../procedure/declare.ts';
import { nullable, optional } from '../../procedure/param.ts';
import { bigint, bit, datetime, nvarchar, uniqueidentifier } from '../../tds/types/index.ts';
import { hasOpenItem } from '../jobs/open-items.ts';
import { keptPartition } from '../jobs/partition.ts';

const jobs = {
  JobId: bigint,
  CreateTime: datetime,
  CancelTime: orNull(datetime),
  Submitted: bit,
  Name: orNull(nvarchar('max')),
};

export const getJobs = procedure({
  name: 'proc_GetJobs',
  section: 'MS-TSSPROC 3.1.5.10',
  summary: 'Lists the translation jobs of a partition.',
  access: 'read',
  params: {
    PartitionId: optional(uniqueidentifier, null, 'The partition; NULL means jobs without one.'),
    UserId: optional(nvarchar('max'), null, 'Only this user’s jobs; NULL means anyone’s.'),
    ActiveOnly: nullable(bit, 'One asks for jobs that are not cancelled and have an unfinished item.'),
    SubmittedOnly: nullable(bit, 'One asks for submitted jobs.'),
  },
  outcomes: { done: { code: 0, meaning: 'Clients ignore the code.', sets: { ResultSet0: jobs } } },
  handle({ db }, { PartitionId, UserId, ActiveOnly, SubmittedOnly }) {
    const rows = db.rows(
      jobs,
      sql`
        select j.job_id as "JobId", j.create_time as "CreateTime", j.cancel_time as "CancelTime",
          j.submitted as "Submitted", j.name as "Name"
        from jobs j
        where j.partition_id = ${keptPartition(PartitionId)}
          ${UserId === null ? sql`` : sql`and j.user_id = ${UserId}`}
          ${ActiveOnly === true ? sql`and j.cancel_time is null and ${hasOpenItem}` : sql``}
          ${SubmittedOnly === true ? sql`and j.submitted = 1` : sql``}
        order by j.create_time, j.job_id`,
    );
    return { outcome: 'done', sets: { ResultSet0: rows } };
  },
});
