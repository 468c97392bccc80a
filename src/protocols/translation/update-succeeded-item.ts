import { sql } from '../../engine/sql.ts';
import { procedure } from '../../procedure/declare.ts';
import { required } from '../../procedure/param.ts';
import { bigint, int, smallint } from '../../tds/types/index.ts';
import { isNamed, stopTime } from '../jobs/named-item.ts';
import { afterStop, stoppedItem } from '../jobs/stopped-item.ts';

export const updateSucceededItem = procedure({
  name: 'proc_UpdateSucceededItem',
  section: 'MS-TSSPROC 3.1.5.18',
  summary: 'Marks a translation item as finished.',
  access: 'write',
  params: {
    JobId: required(bigint, 'The job of the item.'),
    GroupId: required(smallint, 'The group of the item.'),
    ItemId: required(int, 'The item.'),
  },
  outcomes: { done: { code: 0, meaning: 'Clients ignore the code.' } },
  async handle({ db, now }, item) {
    const stopped = await db.first(
      stoppedItem,
      sql`
        update items set
          stop_time = ${stopTime(now)},
          error_code = null, worker = null
        from jobs j
        where ${isNamed(item)}
        returning items.job_key as "Key", items.start_time as "StartTime"`,
    );
    await afterStop(db, stopped);
    return { outcome: 'done' };
  },
});
