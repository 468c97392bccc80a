import { sql } from '../../engine/sql.ts';
import { procedure } from '../../procedure/declare.ts';
import { nullable, optional, required } from '../../procedure/param.ts';
import { bigint, bit, int, smallint, varbinary } from '../../tds/types/index.ts';
import { putBack } from '../jobs/put-back.ts';
import { stopItem } from '../jobs/stop-item.ts';

export const updateFailedItem = procedure({
  name: 'proc_UpdateFailedItem',
  section: 'MS-WORDSSP 3.1.5.2',
  summary: 'Puts a failed item back for another attempt, or ends it with an error.',
  access: 'write',
  bringsWork: true,
  params: {
    JobId: required(bigint, 'The job of the item.'),
    GroupId: required(smallint, 'The group of the item.'),
    ItemId: required(int, 'The item.'),
    NoRetry: nullable(bit, 'Zero allows another attempt while attempts remain.'),
    ErrorCode: nullable(int, 'The error that the item ends with.'),
    Reserved: optional(varbinary('max'), null, 'Kept with an item that ends; clients send NULL.'),
  },
  outcomes: { done: { code: 0, meaning: 'Clients ignore the code.' } },
  async handle({ db, now }, { NoRetry, ErrorCode, Reserved, ...item }) {
    if (await putBack(db, item, NoRetry)) return { outcome: 'done' };
    await stopItem(
      db,
      now,
      item,
      sql`error_code = ${ErrorCode}, worker = null, attempts_remaining = 0, reserved = ${Reserved}`,
    );
    return { outcome: 'done' };
  },
});
