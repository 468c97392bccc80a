import { sql } from '../../engine/sql.ts';
import { procedure } from '../../procedure/declare.ts';
import { required } from '../../procedure/param.ts';
import { bigint, int, smallint } from '../../tds/types/index.ts';
import { finishItem, finishing } from '../jobs/stop-item.ts';

const succeeded = finishing(sql`error_code = null, worker = null`);

export const updateSucceededItem = procedure({
  name: 'proc_UpdateSucceededItem',
  section: 'MS-TSSPROC 3.1.5.18',
  summary: 'Marks a translation item as finished.',
  access: 'write',
  byRows: 'at once',
  params: {
    JobId: required(bigint, 'The job of the item.'),
    GroupId: required(smallint, 'The group of the item.'),
    ItemId: required(int, 'The item.'),
  },
  outcomes: { done: { code: 0, meaning: 'Clients ignore the code.' } },
  async handle({ db, now }, item) {
    await finishItem(db, now, item, succeeded);
    return { outcome: 'done' };
  },
});
