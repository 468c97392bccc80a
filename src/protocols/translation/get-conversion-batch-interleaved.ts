import type { Db } from '../../engine/db.ts';
import { procedure } from '../../procedure/declare.ts';
import { batchParams, handedOut } from '../jobs/conversion-batch.ts';
import { everything, stale } from '../jobs/hand-out.ts';
import { batchItems } from './batch-items.ts';
import { interleaved } from './interleave.ts';

export const getConversionBatchInterleaved = procedure({
  name: 'proc_GetConversionBatchInterleaved',
  section: 'MS-TSSPROC 3.1.5.6',
  summary: 'As proc_GetConversionBatch, with the items not started distributed evenly among partitions.',
  access: 'read',
  params: batchParams('The most items not started; stale items come on top.'),
  outcomes: { done: { code: 0, meaning: 'Clients ignore the code.', sets: { ResultSet0: batchItems } } },
  handle: ({ db }, { NumberOfConversionsInBatch: most, InProgressThreshold }) =>
    handedOut(most, batch(db, most, InProgressThreshold)),
});

async function* batch(db: Db, most: number, threshold: Date) {
  yield* stale(db, batchItems, threshold, everything);
  yield await interleaved(db, batchItems, most);
}
