import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachEngine } from '../../support/engines.ts';
import { JobsFixture, partitionA, partitionB } from '../jobs/fixture.ts';
import { translationProtocol } from '../jobs/protocols.ts';

forEachEngine((engine) => {
  const fixture = new JobsFixture(engine, translationProtocol);
  const expire = (more: Readonly<Record<string, unknown>>) =>
    fixture.done('JobsExpire', { IncludeActiveJobs: false, ...more });
  const finish = async (JobId: bigint, ...ids: number[]) => {
    await fixture.start(JobId, ...ids);
    for (const id of ids) await fixture.succeed(JobId, id);
  };
  const ids = async (JobId: bigint) => (await fixture.items(JobId)).map(({ ItemId }) => ItemId);

  test('MS-TSSPROC 3.1.5.13: deletes only in the partition given; NULL is no partition; @AllPartitions opens all', async () => {
    const add = async () => {
      await fixture.addJob(1n, { PartitionId: partitionA });
      await fixture.addJob(2n, { PartitionId: partitionB });
      await fixture.addJob(3n);
    };
    const left = async () => [
      ...(await fixture.jobIds({ PartitionId: partitionA })),
      ...(await fixture.jobIds({ PartitionId: partitionB })),
      ...(await fixture.jobIds()),
    ];
    await add();
    await expire({ PartitionId: partitionA, IncludeActiveJobs: true });
    assert.deepEqual(await left(), [2n, 3n]);
    await expire({ IncludeActiveJobs: true });
    assert.deepEqual(await left(), [2n]);
    await expire({ PartitionId: partitionA, AllPartitions: true, IncludeActiveJobs: true });
    assert.deepEqual(await left(), []);
    await add();
    await expire({ JobId: 1n, AllPartitions: false, IncludeActiveJobs: true });
    assert.deepEqual(await left(), [1n, 2n, 3n]);
    await expire({ JobId: 1n, PartitionId: partitionA });
    assert.deepEqual(await left(), [2n, 3n]);
  });

  test('MS-TSSPROC 3.1.5.13: with @JobId neither state nor @TimeThreshold matters', async () => {
    await fixture.submittedJob(1n, [1]);
    await fixture.submittedJob(2n, [1]);
    await expire({ JobId: 1n, TimeThreshold: fixture.at(-1000) });
    assert.deepEqual(await fixture.jobIds(), [2n]);
    await expire({ JobId: 99n });
    assert.deepEqual(await fixture.jobIds(), [2n]);
  });

  test('MS-TSSPROC 3.1.5.13: with @IncludeActiveJobs 1 all jobs created before @TimeThreshold go', async () => {
    await fixture.submittedJob(1n, [1]);
    const threshold = fixture.at(1000);
    fixture.clock.advance(1000);
    await fixture.submittedJob(2n, [1]);
    await expire({ IncludeActiveJobs: true, TimeThreshold: threshold });
    assert.deepEqual(await fixture.jobIds(), [2n]);
    await expire({ IncludeActiveJobs: true });
    assert.deepEqual(await fixture.jobIds(), []);
  });

  test('MS-TSSPROC 3.1.5.13: cancelled jobs go by CancelTime, strictly before the threshold', async () => {
    await fixture.submittedJob(1n, [1]);
    fixture.clock.advance(1000);
    await fixture.done('CancelJob', { JobId: 1n });
    await expire({ TimeThreshold: fixture.now });
    assert.deepEqual(await fixture.jobIds(), [1n]);
    await expire({ TimeThreshold: fixture.at(10) });
    assert.deepEqual(await fixture.jobIds(), []);
    await fixture.submittedJob(2n, [1]);
    await fixture.done('CancelJob', { JobId: 2n });
    await expire({});
    assert.deepEqual(await fixture.jobIds(), []);
  });

  test('MS-TSSPROC 3.1.5.13: unsubmitted jobs go only with a @TimeThreshold after their CreateTime', async () => {
    await fixture.addJob(1n);
    await fixture.addJob(2n);
    await fixture.addGroup(2n, 1, [1]);
    await expire({});
    assert.deepEqual(await fixture.jobIds(), [1n, 2n]);
    await expire({ TimeThreshold: fixture.now });
    assert.deepEqual(await fixture.jobIds(), [1n, 2n]);
    await expire({ TimeThreshold: fixture.at(10) });
    assert.deepEqual(await fixture.jobIds(), []);
  });

  test('MS-TSSPROC 3.1.5.13: a job goes when all of its items stopped before the threshold; one without items stays', async () => {
    await fixture.submittedJob(1n, [1, 2]);
    await finish(1n, 1, 2);
    await fixture.submittedJob(2n, [1]);
    await fixture.addJob(3n);
    await fixture.done('SubmitJob', { JobId: 3n });
    fixture.clock.advance(1000);
    await expire({ TimeThreshold: fixture.now });
    assert.deepEqual(await fixture.jobIds(), [2n, 3n]);
  });

  test('MS-TSSPROC 3.1.5.13: finished items of a job that stays go too, one by one and with their status', async () => {
    await fixture.submittedJob(1n, [1, 2, 3, 4]);
    await finish(1n, 1);
    fixture.clock.advance(1000);
    const threshold = fixture.now;
    await finish(1n, 2);
    await expire({ TimeThreshold: threshold });
    assert.deepEqual(await ids(1n), [2, 3, 4]);
    assert.deepEqual(await fixture.status(1n), [3, 0, 2, 0, 1, 0, 0]);
    await expire({});
    assert.deepEqual(await ids(1n), [3, 4]);
    await finish(1n, 3);
    assert.deepEqual(await ids(1n), [3, 4]);
    assert.deepEqual(await fixture.handedOut(), ['1/1/4']);
  });

  test('MS-TSSPROC 3.1.5.13: a deleted item is gone for every call, and its group stays', async () => {
    await fixture.submittedJob(1n, [1, 2]);
    await finish(1n, 1);
    fixture.clock.advance(1000);
    await expire({});
    await fixture.succeed(1n, 1);
    await fixture.fail(1n, 1, false);
    await fixture.fail(1n, 1, true);
    assert.deepEqual(await fixture.update([{ JobId: 1n, GroupId: 1, ItemId: 1 }], []), []);
    assert.deepEqual(await fixture.update([], [{ JobId: 1n, GroupId: 1, ItemId: 1, ErrorCode: 1 }]), []);
    assert.deepEqual(await ids(1n), [2]);
    assert.equal((await fixture.rows('GetGroups', { JobId: 1n })).length, 1);
    assert.deepEqual(await fixture.call('AddGroup', fixture.groupInput(1n, 1, [1])), { error: 2627 });
  });

  test('MS-TSSPROC 3.1.5.13: items that finish after the call stay, though its threshold lies ahead', async () => {
    await fixture.submittedJob(1n, [1, 2, 3]);
    await finish(1n, 1);
    await expire({ TimeThreshold: fixture.at(3_600_000) });
    await finish(1n, 2);
    assert.deepEqual(await ids(1n), [2, 3]);
    fixture.clock.advance(1000);
    await finish(1n, 3);
    assert.deepEqual(await ids(1n), [2, 3]);
    await expire({ TimeThreshold: fixture.at(-500) });
    assert.deepEqual(await ids(1n), [3]);
  });

  test('MS-TSSPROC 3.1.5.13: an item that stopped at the threshold stays with its job, an hour after the one before', async () => {
    await fixture.submittedJob(1n, [1, 2]);
    await finish(1n, 1);
    // As far as the row of the job foresaw; its worker writes that row no more often.
    fixture.clock.advance(3_600_000);
    await finish(1n, 2);
    await expire({ TimeThreshold: fixture.now });
    assert.deepEqual(await ids(1n), [2]);
  });

  test('MS-TSSPROC 3.1.5.13: what finished while the call waited for another transaction is deleted too', async () => {
    await fixture.submittedJob(1n, [1, 2, 3]);
    // Something to expire, so that the call wants the job that the transaction has changed.
    await finish(1n, 3);
    fixture.clock.advance(1000);
    await using other = await fixture.connect();
    await other.batch('begin transaction exec proc_SubmitJob 1');
    const expired = expire({});
    await using later = await fixture.connect();
    assert.deepEqual((await later.batch('select 1 as One')).sets, [[{ One: 1 }]]);
    fixture.clock.advance(1000);
    await other.batch('exec proc_UpdateSucceededItem 1, 1, 1 commit');
    await expired;
    assert.deepEqual(await ids(1n), [2]);
  });

  test('MS-TSSPROC 3.1.5.13: an item that finishes after a clock went back is not lost', async () => {
    await fixture.submittedJob(1n, [1, 2, 3]);
    await finish(1n, 1);
    fixture.clock.advance(10_000);
    await expire({});
    const expired = fixture.now;
    fixture.clock.advance(-5000);
    await finish(1n, 2);
    assert.deepEqual((await fixture.item(1n, 2))?.['StopTime'], expired);
    assert.deepEqual(await fixture.status(1n), [2, 0, 1, 0, 1, 0, 0]);
    fixture.clock.advance(5000);
  });

  test('MS-TSSPROC 3.1.5.13: @IncludeActiveJobs must be given and not NULL', async () => {
    await fixture.addJob(1n);
    assert.deepEqual(await fixture.call('JobsExpire', { AllPartitions: true }), { error: 201 });
    assert.deepEqual(await fixture.call('JobsExpire', { AllPartitions: true, IncludeActiveJobs: null }), {
      error: 515,
    });
    assert.deepEqual(await fixture.jobIds(), [1n]);
  });
});
