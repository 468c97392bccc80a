import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachEngine } from '../../support/engines.ts';
import { JobsFixture, partitionA, partitionB } from '../jobs/fixture.ts';
import { translationProtocol } from '../jobs/protocols.ts';

forEachEngine((engine) => {
  const fixture = new JobsFixture(engine, translationProtocol);
  const interleaved = (count: number, threshold?: Date) =>
    fixture.handedOut(count, threshold, 'GetConversionBatchInterleaved');

  test('MS-TSSPROC 3.1.5.5: stale items do not count towards @NumberOfConversionsInBatch', async () => {
    await fixture.submittedJob(1n, [1, 2, 3, 4]);
    await fixture.start(1n, 1, 2);
    assert.deepEqual(await fixture.handedOut(1, fixture.at(10)), ['1/1/1', '1/1/2', '1/1/3']);
    assert.deepEqual(await fixture.handedOut(0, fixture.at(10)), ['1/1/1', '1/1/2']);
  });

  test('MS-TSSPROC 3.1.5.6: shares the items not started out evenly among partitions', async () => {
    await fixture.submittedJob(1n, [1, 2, 3, 4], { PartitionId: partitionA });
    await fixture.submittedJob(2n, [1, 2, 3, 4], { PartitionId: partitionB });
    await fixture.submittedJob(3n, [1, 2, 3, 4]);
    assert.deepEqual(await interleaved(6), ['3/1/1', '2/1/1', '1/1/1', '3/1/2', '2/1/2', '1/1/2']);
    assert.deepEqual(await interleaved(4), ['3/1/1', '2/1/1', '1/1/1', '3/1/2']);
    assert.deepEqual(await interleaved(1), ['3/1/1']);
    assert.equal((await interleaved(100)).length, 12);
  });

  test('MS-TSSPROC 3.1.5.6: a partition with too few items leaves its share to the others', async () => {
    await fixture.submittedJob(1n, [1, 2, 3, 4, 5, 6], { PartitionId: partitionA });
    await fixture.submittedJob(2n, [1], { PartitionId: partitionB });
    await fixture.submittedJob(3n, [1]);
    await fixture.submittedJob(4n, [1, 2, 3]);
    assert.deepEqual(await interleaved(9), [
      '3/1/1',
      '2/1/1',
      '1/1/1',
      '4/1/1',
      '1/1/2',
      '4/1/2',
      '1/1/3',
      '4/1/3',
      '1/1/4',
    ]);
  });

  test('MS-TSSPROC 3.1.5.6: partitions whose jobs are unsubmitted, cancelled or finished have no share', async () => {
    await fixture.submittedJob(1n, [1, 2], { PartitionId: partitionA });
    await fixture.submittedJob(2n, [1], { PartitionId: partitionB });
    await fixture.done('CancelJob', { JobId: 2n, PartitionId: partitionB });
    await fixture.addJob(3n);
    await fixture.addGroup(3n, 1, [1]);
    const finished = '33333333-3333-4333-8333-333333333333';
    await fixture.submittedJob(4n, [1], { PartitionId: finished });
    await fixture.start(4n, 1);
    await fixture.succeed(4n, 1);
    assert.deepEqual(await interleaved(2), ['1/1/1', '1/1/2']);
  });

  test('MS-TSSPROC 3.1.5.6: stale items come on top, with what proc_GetConversionBatch tells of them', async () => {
    await fixture.submittedJob(1n, [1, 2, 3], { PartitionId: partitionA });
    await fixture.submittedJob(2n, [1]);
    await fixture.start(1n, 2);
    assert.deepEqual(await interleaved(2, fixture.at(10)), ['1/1/2', '2/1/1', '1/1/1']);
    const stale = await fixture.batch(0, fixture.at(10), 'GetConversionBatchInterleaved');
    assert.deepEqual(stale, await fixture.batch(0, fixture.at(10)));
    assert.equal(stale[0]?.['InProgress'], true);
  });

  test('MS-TSSPROC 3.1.5.6: a negative number fails with 127, NULL is refused', async () => {
    const ask = (NumberOfConversionsInBatch: number | null) =>
      fixture.call('GetConversionBatchInterleaved', { NumberOfConversionsInBatch, InProgressThreshold: fixture.now });
    assert.deepEqual(await ask(-1), { error: 127 });
    assert.deepEqual(await ask(null), { error: 515 });
  });
});
