import { sql, table } from '../../engine/sql.ts';
import { orNull, procedure } from '../../procedure/declare.ts';
import { required } from '../../procedure/param.ts';
import { bigint, nvarchar, smallint, uniqueidentifier, varbinary, xml } from '../../tds/types/index.ts';
import { updateBatch } from '../jobs/update-batch.ts';
import { readBatchUpdate } from '../jobs/xml/batch-update.ts';
import { batchUpdate } from './schemas.ts';

const updatedGroups = {
  JobId: bigint,
  GroupId: smallint,
  InputRoot: nvarchar('max'),
  OutputRoot: nvarchar('max'),
  Settings: nvarchar('max'),
  PartitionId: orNull(uniqueidentifier),
  UserToken: varbinary('max'),
};

export const updateConversionBatch = procedure({
  name: 'proc_UpdateConversionBatch',
  section: 'MS-TSSPROC 3.1.5.15',
  summary: 'Marks items as started and as failed, and tells what is needed to translate them.',
  access: 'write',
  params: { BatchXml: required(xml, 'The items, as databaseBatchUpdate (2.2.6.4.1) lists them.') },
  outcomes: { done: { code: 0, meaning: 'Clients ignore the code.', sets: { ResultSet0: updatedGroups } } },
  async handle({ db, now }, { BatchXml }) {
    const groups = await updateBatch(db, now, await readBatchUpdate(batchUpdate, BatchXml));
    const updated = table(
      { job_key: 'bigint', group_id: 'bigint' },
      groups.map(({ Key, Group }) => [Key, Group]),
    );
    const rows = await db.all(
      updatedGroups,
      sql`
        select j.job_id as "JobId", g.group_id as "GroupId", g.input_root as "InputRoot",
          g.output_root as "OutputRoot", j.settings as "Settings",
          nullif(j.partition_id, '') as "PartitionId", j.user_token as "UserToken"
        from ${updated} u
          join groups g on g.job_key = u.job_key and g.group_id = u.group_id
          join jobs j on j.job_key = g.job_key
        order by j.job_id, g.group_id`,
    );
    return { outcome: 'done', sets: { ResultSet0: rows } };
  },
});
