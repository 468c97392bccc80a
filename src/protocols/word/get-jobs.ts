import { sql } from '../../engine/sql.ts';
import { procedure } from '../../procedure/declare.ts';
import { optional } from '../../procedure/param.ts';
import { uniqueidentifier, varbinary } from '../../tds/types/index.ts';
import { listedJob, listJobs, listParams } from '../jobs/list-jobs.ts';

export const getJobs = procedure({
  name: 'proc_GetJobs',
  section: 'MS-WORDSSP 3.1.5.8',
  summary: 'Lists conversion jobs.',
  access: 'read',
  params: {
    PartitionId: optional(uniqueidentifier, null, 'Only this partition’s jobs; NULL means all partitions.'),
    UserTokenSid: optional(varbinary('max'), null, 'Only jobs with this token; taken only with @UserTokenGroups.'),
    UserTokenGroups: optional(varbinary('max'), null, 'The other part of the token to look for.'),
    ...listParams,
  },
  outcomes: { done: { code: 0, meaning: 'Clients ignore the code.', sets: { ResultSet0: listedJob } } },
  handle({ db }, { PartitionId, UserTokenSid, UserTokenGroups, ...narrowed }) {
    const inPartition = PartitionId === null ? sql`true` : sql`j.partition_id = ${PartitionId}`;
    const hasToken =
      UserTokenSid === null || UserTokenGroups === null
        ? sql``
        : sql`and j.user_token_sid = ${UserTokenSid} and j.user_token_groups = ${UserTokenGroups}`;
    return { outcome: 'done', sets: { ResultSet0: listJobs(db, sql`${inPartition} ${hasToken}`, narrowed) } };
  },
});
