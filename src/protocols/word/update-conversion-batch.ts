import { sql } from '../../engine/sql.ts';
import { orNull, procedure } from '../../procedure/declare.ts';
import { required } from '../../procedure/param.ts';
import { bigint, nvarchar, smallint, varbinary, xml } from '../../tds/types/index.ts';
import { rowsOf, updateBatch } from '../jobs/update-batch.ts';
import { batchUpdate } from './schemas.ts';

/** What is needed to convert the items of a group. */
export const updatedGroups = {
  JobId: bigint,
  GroupId: smallint,
  InputRoot: orNull(nvarchar('max')),
  OutputRoot: orNull(nvarchar('max')),
  Settings: orNull(nvarchar('max')),
  UserTokenHeader: orNull(varbinary(32)),
  UserTokenSid: orNull(varbinary('max')),
  UserTokenGroups: orNull(varbinary('max')),
};

/** The columns that only this protocol has. */
export const jobColumns = sql`
  j.user_token_header as "UserTokenHeader", j.user_token_sid as "UserTokenSid",
  j.user_token_groups as "UserTokenGroups"`;

export const updateConversionBatch = procedure({
  name: 'proc_UpdateConversionBatch',
  section: 'MS-WORDSSP 3.1.5.3',
  summary: 'Marks items as started and as failed, and returns what is needed to convert them.',
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
