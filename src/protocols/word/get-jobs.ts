import { sql } from '../../engine/sql.ts';
import { orNull, procedure } from '../../procedure/declare.ts';
import { nullable, optional } from '../../procedure/param.ts';
import { bigint, bit, datetime, nvarchar, uniqueidentifier, varbinary } from '../../tds/types/index.ts';
import { hasOpenItem } from '../jobs/open-items.ts';

const jobs = {
  JobId: bigint,
  CreateTime: datetime,
  CancelTime: orNull(datetime),
  Submitted: bit,
  Name: orNull(nvarchar('max')),
};

export const getJobs = procedure({
  name: 'proc_GetJobs',
  section: 'MS-WORDSSP 3.1.5.8',
  summary: 'Lists conversion jobs.',
  access: 'read',
  params: {
    PartitionId: optional(uniqueidentifier, null, 'Only this partition’s jobs; NULL means all partitions.'),
    UserTokenSid: optional(varbinary('max'), null, 'Only jobs with this token; taken only with @UserTokenGroups.'),
    UserTokenGroups: optional(varbinary('max'), null, 'The other part of the token to look for.'),
    ActiveOnly: nullable(bit, 'One asks for jobs that are not cancelled and have an unfinished item.'),
    SubmittedOnly: nullable(bit, 'One asks for submitted jobs.'),
  },
  outcomes: { done: { code: 0, meaning: 'Clients ignore the code.', sets: { ResultSet0: jobs } } },
  handle({ db }, { PartitionId, UserTokenSid, UserTokenGroups, ActiveOnly, SubmittedOnly }) {
    const hasToken =
      UserTokenSid === null || UserTokenGroups === null
        ? sql``
        : sql`and j.user_token_sid = ${UserTokenSid} and j.user_token_groups = ${UserTokenGroups}`;
    const rows = db.rows(
      jobs,
      sql`
        select j.job_id as "JobId", j.create_time as "CreateTime", j.cancel_time as "CancelTime",
          j.submitted as "Submitted", j.name as "Name"
        from jobs j
        where true
          ${PartitionId === null ? sql`` : sql`and j.partition_id = ${PartitionId}`}
          ${hasToken}
          ${ActiveOnly === true ? sql`and j.cancel_time is null and ${hasOpenItem}` : sql``}
          ${SubmittedOnly === true ? sql`and j.submitted = 1` : sql``}
        order by j.create_time, j.job_id`,
    );
    return { outcome: 'done', sets: { ResultSet0: rows } };
  },
});
