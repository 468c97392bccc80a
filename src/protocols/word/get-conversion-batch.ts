import type { Db } from '../../engine/db.ts';
import { orNull, procedure } from '../../procedure/declare.ts';
import { bigint, bit, datetime, int, nvarchar, smallint, tinyint, uniqueidentifier } from '../../tds/types/index.ts';
import { batchParams, handedOut } from '../jobs/conversion-batch.ts';
import { notStarted, stale } from '../jobs/hand-out.ts';

const batchItems = {
  JobId: bigint,
  GroupId: smallint,
  ItemId: int,
  InProgress: orNull(bit),
  InputFile: nvarchar('max'),
  OutputFile: orNull(nvarchar('max')),
  AttemptsRemaining: tinyint,
  WorkerServerInstance: orNull(uniqueidentifier),
  StartTime: orNull(datetime),
  CreateTime: datetime,
};

export const getConversionBatch = procedure({
  name: 'proc_GetConversionBatch',
  section: 'MS-WORDSSP 3.1.5.11',
  summary: 'Lists items that have been in progress for too long, then items not started, up to a number in all.',
  access: 'read',
  params: batchParams('The most items, stale and not started together.'),
  outcomes: { done: { code: 0, meaning: 'Clients ignore the code.', sets: { ResultSet0: batchItems } } },
  handle: ({ db }, { NumberOfConversionsInBatch: most, InProgressThreshold }) =>
    handedOut(most, batch(db, most, InProgressThreshold)),
});

async function* batch(db: Db, most: number, threshold: Date) {
  let left = most;
  for await (const items of stale(db, batchItems, threshold, most)) {
    left -= items.length;
    yield items;
  }
  yield* notStarted(db, batchItems, left);
}
