import { orNull, procedure } from '../../procedure/declare.ts';
import { optional, required } from '../../procedure/param.ts';
import { bigint, bit, datetime, nvarchar, smallint, uniqueidentifier } from '../../tds/types/index.ts';
import { groupsOfJob } from '../jobs/groups-of-job.ts';

const groups = {
  GroupId: smallint,
  InputRoot: orNull(nvarchar('max')),
  OutputRoot: orNull(nvarchar('max')),
  CreateTime: datetime,
  CancelTime: orNull(datetime),
  Submitted: bit,
  Settings: orNull(nvarchar('max')),
};

export const getGroups = procedure({
  name: 'proc_GetGroups',
  section: 'MS-WORDSSP 3.1.5.10',
  summary: 'Lists the groups of a conversion job.',
  access: 'read',
  params: {
    JobId: required(bigint, 'The job.'),
    PartitionId: optional(uniqueidentifier, null, 'The job’s partition; NULL does not ask for it.'),
  },
  outcomes: { done: { code: 0, meaning: 'Clients ignore the code.', sets: { ResultSet0: groups } } },
  handle({ db }, { JobId, PartitionId }) {
    const rows = db.rows(groups, groupsOfJob(JobId, PartitionId));
    return { outcome: 'done', sets: { ResultSet0: rows } };
  },
});
