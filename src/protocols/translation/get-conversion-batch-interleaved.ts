import type { Db } from '../../engine/db.ts';
import { procedure } from '../../procedure/declare.ts';
import { required } from '../../procedure/param.ts';
import { datetime, int } from '../../tds/types/index.ts';
import { negativeBatch } from '../jobs/errors.ts';
import { everything, rowsOf, stale } from '../jobs/hand-out.ts';
import { batchItems } from './batch-items.ts';
import { interleaved } from './interleave.ts';

export const getConversionBatchInterleaved = procedure({
  name: 'proc_GetConversionBatchInterleaved',
  section: 'MS-TSSPROC 3.1.5.6',
  summary: 'As proc_GetConversionBatch, with the items not started shared out evenly among partitions.',
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
  yield await interleaved(db, batchItems, most);
}
