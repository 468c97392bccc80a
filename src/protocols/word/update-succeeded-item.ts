import { sql } from '../../engine/sql.ts';
import { procedure } from '../../procedure/declare.ts';
import { optional, required } from '../../procedure/param.ts';
import { bigint, int, smallint, varbinary } from '../../tds/types/index.ts';
import { finishItem, finishing } from '../jobs/stop-item.ts';

const succeeded = finishing(sql`error_code = null, worker = null, reserved = null`);

export const updateSucceededItem = procedure({
  name: 'proc_UpdateSucceededItem',
  section: 'MS-WORDSSP 3.1.5.1',
  summary: 'Marks a conversion item as finished.',
  access: 'write',
  byRows: 'at once',
  params: {
    JobId: required(bigint, 'The job of the item.'),
    GroupId: required(smallint, 'The group of the item.'),
    ItemId: required(int, 'The item.'),
    Reserved: optional(varbinary('max'), null, 'Kept with the item; clients send NULL.'),
  },
  outcomes: { done: { code: 0, meaning: 'Clients ignore the code.' } },
  async handle({ db, now }, { Reserved, ...item }) {
    const how =
      Reserved === null ? succeeded : { changes: sql`error_code = null, worker = null, reserved = ${Reserved}` };
    await finishItem(db, now, item, how);
    return { outcome: 'done' };
  },
});
