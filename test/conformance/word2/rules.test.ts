import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachEngine } from '../../support/engines.ts';
import { JobsFixture, partitionA, partitionB } from '../jobs/fixture.ts';
import { word2Protocol } from '../jobs/protocols.ts';
import { wordRules } from '../word/rules.ts';

forEachEngine((engine) => {
  const fixture = new JobsFixture(engine, word2Protocol);
  wordRules(fixture);

  test('MS-WORDSSP2 3.2.5.5: NULL deletes jobs without a partition, @AllPartitions 1 deletes in all', async () => {
    await fixture.addJob(1n, { PartitionId: partitionA });
    await fixture.addJob(2n, { PartitionId: partitionB });
    await fixture.addJob(3n);
    const expire = (more: object) => fixture.done('JobsExpire', { IncludeActiveJobs: true, ...more });
    await expire({ AllPartitions: false });
    assert.deepEqual(await fixture.jobIds(), [1n, 2n]);
    await expire({ PartitionId: partitionA });
    assert.deepEqual(await fixture.jobIds(), [2n]);
    await expire({ PartitionId: partitionA, AllPartitions: true });
    assert.deepEqual(await fixture.jobIds(), []);
  });
});
