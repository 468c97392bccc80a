import { sql } from '../../engine/sql.ts';
import { orNull, procedure } from '../../procedure/declare.ts';
import { optional, required } from '../../procedure/param.ts';
import { bigint, bit, datetime, nvarchar, smallint, uniqueidentifier } from '../../tds/types/index.ts';

const groups = {
  GroupId: smallint,
  InputRoot: nvarchar('max'),
  OutputRoot: nvarchar('max'),
  CreateTime: datetime,
  CancelTime: orNull(datetime),
  Submitted: bit,
  Settings: nvarchar('max'),
};

export const getGroups = procedure({
  name: 'proc_GetGroups',
  section: 'MS-TSSPROC 3.1.5.7',
  summary: 'Lists the groups of a translation job.',
  access: 'read',
  params: {
    JobId: required(bigint, 'The job.'),
    PartitionId: optional(uniqueidentifier, null, 'The job’s partition; NULL does not ask for it.'),
  },
  outcomes: { done: { code: 0, meaning: 'Clients ignore the code.', sets: { ResultSet0: groups } } },
  handle({ db }, { JobId, PartitionId }) {
    const inPartition = PartitionId === null ? sql`` : sql`and j.partition_id = ${PartitionId}`;
    const rows = db.rows(
      groups,
      sql`
        select g.group_id as "GroupId", g.input_root as "InputRoot", g.output_root as "OutputRoot",
          j.create_time as "CreateTime", j.cancel_time as "CancelTime", j.submitted as "Submitted",
          j.settings as "Settings"
        from jobs j join groups g on g.job_key = j.job_key
        where j.job_id = ${JobId} ${inPartition}
        order by g.group_id`,
    );
    return { outcome: 'done', sets: { ResultSet0: rows } };
  },
});
