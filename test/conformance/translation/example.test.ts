import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachEngine } from '../../support/engines.ts';
import { exampleRuns } from '../jobs/example.ts';
import { JobsFixture, partitionA } from '../jobs/fixture.ts';
import { translationProtocol } from '../jobs/protocols.ts';
import { example } from './worked-example.ts';

forEachEngine((engine) => {
  const fixture = new JobsFixture(engine, translationProtocol);
  exampleRuns(fixture, example);

  test('MS-TSSPROC 4: the announced items are counted in the job’s partition and in all', async () => {
    await fixture.client.batch(example.steps[0].text);
    const hour = { Hour: fixture.now.getUTCHours(), Date: new Date(fixture.now.toISOString().slice(0, 10)) };
    const count = async (PartitionId: string) => (await fixture.call('GetItemCount', { PartitionId, ...hour })).status;
    assert.equal(await count(partitionA), 2);
    assert.equal(await count('00000000-0000-0000-0000-000000000000'), 2);
  });
});
