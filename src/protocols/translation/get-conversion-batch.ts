import type { Db } from '../../engine/db.ts';
import { procedure } from '../../procedure/declare.ts';
import { batchParams, handedOut } from '../jobs/conversion-batch.ts';
import { everything, notStarted, stale } from '../jobs/hand-out.ts';
import { batchItems } from './batch-items.ts';

export const getConversionBatch = procedure({
  name: 'proc_GetConversionBatch',
  section: 'MS-TSSPROC 3.1.5.5',
  summary: 'Lists items that are not started, up to a number, and all that have been in progress for too long.',
  access: 'read',
  params: batchParams('The most items not started; stale items come on top.'),
  outcomes: { done: { code: 0, meaning: 'Clients ignore the code.', sets: { ResultSet0: batchItems } } },
  handle: ({ db }, { NumberOfConversionsInBatch: most, InProgressThreshold }) =>
    handedOut(most, batch(db, most, InProgressThreshold)),
});

async function* batch(db: Db, most: number, threshold: Date) {
  yield* stale(db, batchItems, threshold, everything);
  yield* notStarted(db, batchItems, most);
}
