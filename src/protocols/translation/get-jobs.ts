import { fold } from '../../base/text/collation.ts';
import { sql } from '../../engine/sql.ts';
import { procedure } from '../../procedure/declare.ts';
import { optional } from '../../procedure/param.ts';
import { nvarchar, uniqueidentifier } from '../../tds/types/index.ts';
import { listedJob, listJobs, listParams } from '../jobs/list-jobs.ts';
import { keptPartition } from '../jobs/partition.ts';

export const getJobs = procedure({
  name: 'proc_GetJobs',
  section: 'MS-TSSPROC 3.1.5.10',
  summary: 'Lists the translation jobs of a partition.',
  access: 'read',
  params: {
    PartitionId: optional(uniqueidentifier, null, 'The partition; NULL means jobs without one.'),
    UserId: optional(nvarchar('max'), null, 'Only this user’s jobs; NULL means anyone’s.'),
    ...listParams,
  },
  outcomes: { done: { code: 0, meaning: 'Clients ignore the code.', sets: { ResultSet0: listedJob } } },
  handle({ db }, { PartitionId, UserId, ...narrowed }) {
    // Jobs from before keys were introduced have none.
    const ofUser =
      UserId === null
        ? sql``
        : sql`and (j.user_key = ${fold(UserId)} or (j.user_key is null and j.user_id = ${UserId}))`;
    const condition = sql`j.partition_id = ${keptPartition(PartitionId)} ${ofUser}`;
    return { outcome: 'done', sets: { ResultSet0: listJobs(db, condition, narrowed) } };
  },
});
