import { sql } from '../../engine/sql.ts';
import { procedure } from '../../procedure/declare.ts';
import { nullable, optional, required } from '../../procedure/param.ts';
import { bigint, bit, int, smallint, varbinary } from '../../tds/types/index.ts';
import { putBack } from '../jobs/put-back.ts';
import { afterStop, stoppedItem } from '../jobs/stopped-item.ts';

export const updateFailedItem = procedure({
  name: 'proc_UpdateFailedItem',
  section: 'MS-WORDSSP 3.1.5.2',
  summary: 'Puts a failed item back for another attempt, or ends it with an error.',
  access: 'write',
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
    const stopped = await db.first(
      stoppedItem,
      sql`
        update items set
          stop_time = case when ${now} < j.expired_before then j.expired_before else ${now} end,
          error_code = ${ErrorCode}, worker = null, attempts_remaining = 0, reserved = ${Reserved}
        from jobs j
        where j.job_id = ${item.JobId} and items.job_key = j.job_key
          and items.group_id = ${item.GroupId} and items.item_id = ${item.ItemId}
          and (items.stop_time is null or items.stop_time >= j.expired_before)
        returning items.job_key as "Key", items.start_time as "StartTime"`,
    );
    await afterStop(db, stopped);
    return { outcome: 'done' };
  },
});
