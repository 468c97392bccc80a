import type { Db } from '../../engine/db.ts';
import { procedure } from '../../procedure/declare.ts';
import { required } from '../../procedure/param.ts';
import { datetime, int } from '../../tds/types/index.ts';
import { negativeBatch } from '../jobs/errors.ts';
import { everything, notStarted, rowsOf, stale } from '../jobs/hand-out.ts';
import { batchItems } from './batch-items.ts';

export const getConversionBatch = procedure({
  name: 'proc_GetConversionBatch',
  section: 'MS-TSSPROC 3.1.5.5',
  summary: 'Lists items that are not started, up to a number, and all that are in progress for too long.',
  access: 'read',
  params: {
    NumberOfConversionsInBatch: required(int, 'The most items not started; stale items come on top.'),
    InProgressThreshold: required(datetime, 'Items in progress since before this moment (UTC) are stale.'),
  },
  outcomes: { done: { code: 0, meaning: 'Clients ignore the code.', sets: { ResultSet0: batchItems } } },
  handle({ db }, { NumberOfConversionsInBatch, InProgressThreshold }) {
    if (NumberOfConversionsInBatch < 0) throw negativeBatch();
    return {
      outcome: 'done',
      sets: { ResultSet0: rowsOf(batch(db, NumberOfConversionsInBatch, InProgressThreshold)) },
    };
  },
});

async function* batch(db: Db, most: number, threshold: Date) {
  yield* stale(db, batchItems, threshold, everything);
  yield* notStarted(db, batchItems, most);
}
