import { sql } from '../../engine/sql.ts';
import { procedure } from '../../procedure/declare.ts';
import { optional, required } from '../../procedure/param.ts';
import { bigint, int, smallint, varbinary } from '../../tds/types/index.ts';
import { afterStop, stoppedItem } from '../jobs/stopped-item.ts';

export const updateSucceededItem = procedure({
  name: 'proc_UpdateSucceededItem',
  section: 'MS-WORDSSP 3.1.5.1',
  summary: 'Marks a conversion item as finished.',
  access: 'write',
  params: {
    JobId: required(bigint, 'The job of the item.'),
    GroupId: required(smallint, 'The group of the item.'),
    ItemId: required(int, 'The item.'),
    Reserved: optional(varbinary('max'), null, 'Kept with the item; clients send NULL.'),
  },
  outcomes: { done: { code: 0, meaning: 'Clients ignore the code.' } },
  async handle({ db, now }, { JobId, GroupId, ItemId, Reserved }) {
    const stopped = await db.first(
      stoppedItem,
      sql`
        update items set
          stop_time = case when ${now} < j.expired_before then j.expired_before else ${now} end,
          error_code = null, worker = null, reserved = ${Reserved}
        from jobs j
        where j.job_id = ${JobId} and items.job_key = j.job_key
          and items.group_id = ${GroupId} and items.item_id = ${ItemId}
          and (items.stop_time is null or items.stop_time >= j.expired_before)
        returning items.job_key as "Key", items.start_time as "StartTime"`,
    );
    await afterStop(db, stopped);
    return { outcome: 'done' };
  },
});
