import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allClasses, type JobsFixture, partitionA, partitionB, procedureOf } from './fixture.ts';

/** What the three protocols say alike of cancelling and of the procedures that list. */
export function listingRules(fixture: JobsFixture): void {
  const section = (name: string) => procedureOf(fixture.protocol.kind, name).section;

  test(`${section('CancelJob')}: the job of that partition is cancelled now, once`, async () => {
    await fixture.addJob(1n, { PartitionId: partitionA });
    await fixture.done('CancelJob', { JobId: 1n, PartitionId: partitionB });
    await fixture.done('CancelJob', { JobId: 1n });
    const cancelTime = async () =>
      (await fixture.rows('GetJobs', { PartitionId: partitionA, ActiveOnly: false, SubmittedOnly: false }))[0]?.[
        'CancelTime'
      ];
    assert.equal(await cancelTime(), null);
    await fixture.done('CancelJob', { JobId: 1n, PartitionId: partitionA });
    const first = fixture.now;
    fixture.clock.advance(1000);
    await fixture.done('CancelJob', { JobId: 1n, PartitionId: partitionA });
    assert.deepEqual(await cancelTime(), first);
  });

  test(`${section('CancelJob')}: NULL names a job without a partition; an unknown job changes nothing`, async () => {
    await fixture.addJob(1n);
    await fixture.done('CancelJob', { JobId: 2n });
    await fixture.done('CancelJob', { JobId: 1n, PartitionId: partitionA });
    assert.equal((await fixture.rows('GetJobs', { ActiveOnly: false, SubmittedOnly: false }))[0]?.['CancelTime'], null);
    await fixture.done('CancelJob', { JobId: 1n });
    assert.deepEqual(
      (await fixture.rows('GetJobs', { ActiveOnly: false, SubmittedOnly: false }))[0]?.['CancelTime'],
      fixture.now,
    );
  });

  test(`${section('CancelAllActiveJobs')}: cancels unsubmitted jobs and those with an item without StartTime or StopTime`, async () => {
    await fixture.addJob(1n);
    await fixture.submittedJob(2n, [1, 2]);
    await fixture.submittedJob(3n, [1]);
    await fixture.start(3n, 1);
    await fixture.succeed(3n, 1);
    await fixture.submittedJob(4n, [1]);
    await fixture.succeed(4n, 1);
    await fixture.addJob(5n);
    await fixture.done('SubmitJob', { JobId: 5n });
    await fixture.addJob(6n);
    await fixture.done('CancelJob', { JobId: 6n });
    const before = fixture.now;
    fixture.clock.advance(1000);
    await fixture.done('CancelAllActiveJobs');
    const jobs = await fixture.rows('GetJobs', { ActiveOnly: false, SubmittedOnly: false });
    assert.deepEqual(Object.fromEntries(jobs.map((job) => [String(job['JobId']), job['CancelTime']])), {
      1: fixture.now,
      2: fixture.now,
      3: null,
      4: fixture.now,
      5: null,
      6: before,
    });
  });

  test(`${section('GetGroups')}: @@ROWCOUNT tells how many groups an EXECUTE listed`, async () => {
    await fixture.addJob(1n);
    await fixture.addGroup(1n, 1, [1]);
    await fixture.addGroup(1n, 2, [1]);
    const { sets } = await fixture.client.batch('exec proc_GetGroups 1 select @@rowcount as Count');
    assert.deepEqual(sets[1], [{ Count: 2 }]);
  });

  test(`${section('GetGroups')}: groups in order; NULL asks for no partition, another partition finds nothing`, async () => {
    await fixture.addJob(1n, { PartitionId: partitionA });
    await fixture.addGroup(1n, 2, [1]);
    await fixture.addGroup(1n, 1, [1]);
    await fixture.addJob(2n);
    await fixture.addGroup(2n, 9, [1]);
    const groups = async (PartitionId: string | null) =>
      (await fixture.rows('GetGroups', { JobId: 1n, PartitionId })).map(({ GroupId }) => GroupId);
    assert.deepEqual(await groups(null), [1, 2]);
    assert.deepEqual(await groups(partitionA), [1, 2]);
    assert.deepEqual(await groups(partitionB), []);
    assert.deepEqual(await fixture.rows('GetGroups', { JobId: 3n }), []);
  });

  test(`${section('GetItems')}: each switch at zero leaves out its class, NULL and one leave out nothing`, async () => {
    await fixture.submittedJob(1n, [1, 2, 3, 4]);
    await fixture.start(1n, 2, 3, 4);
    await fixture.succeed(1n, 3);
    await fixture.fail(1n, 4);
    const without = async (JobId: bigint, name: string) =>
      (await fixture.items(JobId, 1, null, { ...allClasses, [name]: false })).map(({ ItemId }) => ItemId);
    assert.deepEqual(await without(1n, 'NotStarted'), [2, 3, 4]);
    assert.deepEqual(await without(1n, 'InProgress'), [1, 3, 4]);
    assert.deepEqual(await without(1n, 'Succeeded'), [1, 2, 4]);
    assert.deepEqual(await without(1n, 'Failed'), [1, 2, 3]);
    assert.deepEqual(await without(1n, 'NotSubmitted'), [1, 2, 3, 4]);
    assert.deepEqual(await without(1n, 'Canceled'), [1, 2, 3, 4]);
    await fixture.done('CancelJob', { JobId: 1n });
    assert.deepEqual(await without(1n, 'Canceled'), [3, 4]);
    await fixture.addJob(2n);
    await fixture.addGroup(2n, 1, [5]);
    assert.deepEqual(await without(2n, 'NotSubmitted'), []);
    await fixture.done('CancelJob', { JobId: 2n });
    assert.deepEqual(await without(2n, 'NotSubmitted'), [5]);
    assert.deepEqual(await without(2n, 'Canceled'), []);
    const unknown = {
      NotSubmitted: null,
      NotStarted: null,
      InProgress: null,
      Succeeded: null,
      Failed: null,
      Canceled: null,
    };
    assert.equal((await fixture.rows('GetItems', { JobId: 1n, GroupId: 1, ...unknown })).length, 4);
  });

  test(`${section('GetItems')}: items of no class come whatever the switches say`, async () => {
    await fixture.submittedJob(1n, [1]);
    await fixture.succeed(1n, 1);
    await fixture.done('CancelJob', { JobId: 1n });
    const none = {
      NotSubmitted: false,
      NotStarted: false,
      InProgress: false,
      Succeeded: false,
      Failed: false,
      Canceled: false,
    };
    assert.equal((await fixture.items(1n, 1, null, none)).length, 1);
    assert.deepEqual(await fixture.status(1n), [1, 0, 0, 0, 0, 0, 0]);
  });

  test(`${section('GetItems')}: only the group asked for; an unknown group or job gives a set without rows`, async () => {
    await fixture.submittedJob(1n, [1]);
    await fixture.addGroup(1n, 2, [2]);
    assert.deepEqual(
      (await fixture.items(1n, 2)).map(({ ItemId }) => ItemId),
      [2],
    );
    assert.deepEqual(await fixture.items(1n, 3), []);
    assert.deepEqual(await fixture.items(9n, 1), []);
  });

  test(`${section('GetJobs')}: @ActiveOnly asks for an unfinished item, submitted or not; @SubmittedOnly for Submitted`, async () => {
    await fixture.addJob(1n);
    await fixture.addJob(2n);
    await fixture.addGroup(2n, 1, [1]);
    await fixture.submittedJob(3n, [1]);
    await fixture.submittedJob(4n, [1]);
    await fixture.done('CancelJob', { JobId: 4n });
    await fixture.submittedJob(5n, [1]);
    await fixture.succeed(5n, 1);
    assert.deepEqual(await fixture.jobIds(), [1n, 2n, 3n, 4n, 5n]);
    assert.deepEqual(await fixture.jobIds({ ActiveOnly: true }), [2n, 3n]);
    assert.deepEqual(await fixture.jobIds({ SubmittedOnly: true }), [3n, 4n, 5n]);
    assert.deepEqual(await fixture.jobIds({ ActiveOnly: true, SubmittedOnly: true }), [3n]);
    assert.deepEqual(await fixture.jobIds({ ActiveOnly: null, SubmittedOnly: null }), [1n, 2n, 3n, 4n, 5n]);
  });

  test(`${section('GetJobStatus')}: counts each class; finished items keep counting after the job is cancelled`, async () => {
    await fixture.addJob(1n);
    await fixture.addGroup(1n, 1, [1, 2, 3, 4]);
    assert.deepEqual(await fixture.status(1n), [4, 4, 0, 0, 0, 0, 0]);
    await fixture.done('SubmitJob', { JobId: 1n });
    await fixture.start(1n, 2, 3, 4);
    await fixture.succeed(1n, 3);
    await fixture.fail(1n, 4);
    assert.deepEqual(await fixture.status(1n), [4, 0, 1, 1, 1, 1, 0]);
    await fixture.done('CancelJob', { JobId: 1n });
    assert.deepEqual(await fixture.status(1n), [4, 0, 0, 0, 1, 1, 2]);
    await fixture.succeed(1n, 2);
    assert.deepEqual(await fixture.status(1n), [4, 0, 0, 0, 2, 1, 1]);
  });

  test(`${section('GetJobStatus')}: a job cancelled before it was submitted is in no class`, async () => {
    await fixture.addJob(1n);
    await fixture.addGroup(1n, 1, [1]);
    await fixture.done('CancelJob', { JobId: 1n });
    assert.deepEqual(await fixture.status(1n), [1, 0, 0, 0, 0, 0, 0]);
  });

  test(`${section('GetJobStatus')}: zeros for a job without items, no row for an unknown job or NULL`, async () => {
    await fixture.addJob(1n);
    const [row] = await fixture.rows('GetJobStatus', { JobId: 1n });
    const zeros = { Total: 0, NotSubmitted: 0, NotStarted: 0, InProgress: 0, Succeeded: 0, Failed: 0, Canceled: 0 };
    assert.deepEqual(row, { ...zeros, Name: 'testJob' });
    assert.deepEqual(await fixture.rows('GetJobStatus', { JobId: 2n }), []);
    assert.deepEqual(await fixture.rows('GetJobStatus', { JobId: null }), []);
  });

  test(`${section('HasActiveJobs')}: zero without a submitted, uncancelled job that has an unfinished item`, async () => {
    const active = async () => (await fixture.call('HasActiveJobs')).status;
    assert.equal(await active(), 0);
    await fixture.addJob(1n);
    await fixture.addGroup(1n, 1, [1]);
    assert.equal(await active(), 0);
    await fixture.done('SubmitJob', { JobId: 1n });
    assert.equal(await active(), 1);
    await fixture.start(1n, 1);
    assert.equal(await active(), 1);
    await fixture.succeed(1n, 1);
    assert.equal(await active(), 0);
    await fixture.submittedJob(2n, [1]);
    await fixture.done('CancelJob', { JobId: 2n });
    assert.equal(await active(), 0);
  });
}
