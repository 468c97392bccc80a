import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachEngine } from '../../support/engines.ts';
import { JobsFixture, partitionA, partitionB } from '../jobs/fixture.ts';
import { wordProtocol } from '../jobs/protocols.ts';
import { wordRules } from './rules.ts';

forEachEngine((engine) => {
  const fixture = new JobsFixture(engine, wordProtocol);
  wordRules(fixture);

  test('MS-WORDSSP 3.1.5.5: @PartitionId NULL deletes in all partitions, otherwise in the one given', async () => {
    await fixture.addJob(1n, { PartitionId: partitionA });
    await fixture.addJob(2n, { PartitionId: partitionB });
    await fixture.addJob(3n);
    await fixture.done('JobsExpire', { PartitionId: partitionA, IncludeActiveJobs: true });
    assert.deepEqual(await fixture.jobIds(), [2n, 3n]);
    await fixture.done('JobsExpire', { IncludeActiveJobs: true });
    assert.deepEqual(await fixture.jobIds(), []);
  });

  test('MS-WORDSSP 3.1.5.5: there is no @AllPartitions', async () => {
    await assert.rejects(fixture.client.batch('exec proc_JobsExpire @AllPartitions = 1, @IncludeActiveJobs = 1'), {
      number: 8145,
    });
  });
});
