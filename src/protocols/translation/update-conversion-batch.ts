import { sql } from '../../engine/sql.ts';
import { orNull, procedure } from '../../procedure/declare.ts';
import { required } from '../../procedure/param.ts';
import { bigint, nvarchar, smallint, uniqueidentifier, varbinary, xml } from '../../tds/types/index.ts';
import { rowsOf, updateBatch } from '../jobs/update-batch.ts';
import { batchUpdate } from './schemas.ts';

/** What is needed to translate the items of a group. */
export const updatedGroups = {
  JobId: bigint,
  GroupId: smallint,
  InputRoot: nvarchar('max'),
  OutputRoot: nvarchar('max'),
  Settings: nvarchar('max'),
  PartitionId: orNull(uniqueidentifier),
  UserToken: varbinary('max'),
};

/** The columns that only this protocol has. */
export const jobColumns = sql`nullif(j.partition_id, '') as "PartitionId", j.user_token as "UserToken"`;

export const updateConversionBatch = procedure({
  name: 'proc_UpdateConversionBatch',
  section: 'MS-TSSPROC 3.1.5.15',
  summary: 'Marks items as started and as failed, and returns what is needed to translate them.',
  access: 'write',
  params: { BatchXml: required(xml, 'The items, as databaseBatchUpdate (2.2.6.4.1) lists them.') },
  outcomes: { done: { code: 0, meaning: 'Clients ignore the code.', sets: { ResultSet0: updatedGroups } } },
  prepare: (call, { BatchXml }) => batchUpdate.read(BatchXml, call),
  async handle({ db, now }, _, update) {
    const groups = await updateBatch(db, now, update);
    const rows = await db.all(updatedGroups, rowsOf(groups, jobColumns));
    return { outcome: 'done', sets: { ResultSet0: rows } };
  },
});
