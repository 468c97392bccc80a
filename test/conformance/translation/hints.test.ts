import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../src/base/clock.ts';
import { sql } from '../../../src/engine/sql.ts';
import { translation } from '../../../src/protocols/translation/kind.ts';
import { openEngine } from '../../support/engines.ts';
import { jobAdd } from '../jobs/documents.ts';
import { procedureOf } from '../jobs/fixture.ts';
import { InProcessHost } from '../jobs/hosts.ts';

test('MS-TSSPROC 3.1.5.6: partitions whose hints promise too much take no place of items that wait', async () => {
  const clock = new ManualClock();
  await using storage = await openEngine('sqlite', { schemas: [translation.schema], clock });
  const database = await storage.create('Jobs', 'translation');
  const host = new InProcessHost({ run: (work) => database.write(work) }, clock);
  const call = (name: string, input: Readonly<Record<string, unknown>>) =>
    host.call(procedureOf(translation, name), input);
  for (const id of [1, 2, 3, 4]) {
    const PartitionId = `${id}0000000-0000-4000-8000-000000000000`;
    await call('AddJob', { JobId: BigInt(id), PartitionId, UserToken: Buffer.of(1), Settings: '' });
    const JobXml = jobAdd('translation/2010/11', [{ ItemId: 1, InputFile: 'in', OutputFile: 'out' }]);
    const group = { JobId: BigInt(id), GroupId: 1, InputRoot: '', OutputRoot: '', MaxAttemptsCount: 1, JobXml };
    await call('AddGroup', group);
    await call('SubmitJob', { JobId: BigInt(id) });
    if (id < 4) await call('UpdateSucceededItem', { JobId: BigInt(id), GroupId: 1, ItemId: 1 });
  }
  await database.write((db) => db.run(sql`update jobs set waiting = 1`));
  const { rows } = await call('GetConversionBatchInterleaved', {
    NumberOfConversionsInBatch: 1,
    InProgressThreshold: clock.now(),
  });
  assert.deepEqual(
    rows?.map(({ JobId }) => JobId),
    [4n],
  );
});
