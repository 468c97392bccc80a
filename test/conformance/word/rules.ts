import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allClasses, type JobsFixture, partitionA, partitionB, procedureOf } from '../jobs/fixture.ts';

/** What MS-WORDSSP says differently from MS-TSSPROC, and MS-WORDSSP2 repeats. */
export function wordRules(fixture: JobsFixture): void {
  const section = (name: string) => procedureOf(fixture.protocol.kind, name).section;
  const token = (header: number[] | null, sid: number[] | null, groups: number[] | null) => ({
    UserTokenHeader: header && Buffer.from(header),
    UserTokenSid: sid && Buffer.from(sid),
    UserTokenGroups: groups && Buffer.from(groups),
  });

  test(`${section('AddJob')}: the parts of a token are all NULL or all given; otherwise nothing is added`, async () => {
    const add = (parts: object) => fixture.call('AddJob', { JobId: 1n, Settings: null, ...parts });
    for (const parts of [
      token([1], null, null),
      token(null, [1], null),
      token(null, null, [1]),
      token([1], [1], null),
      token([1], null, [1]),
      token(null, [1], [1]),
    ]) {
      assert.deepEqual(await add(parts), { error: 50000 });
    }
    assert.deepEqual(await fixture.jobIds(), []);
    assert.deepEqual(await add({}), { status: 0 });
  });

  test(`${section('AddJob')}: a header longer than 32 bytes is cut to them, as SQL Server binds`, async () => {
    await fixture.client.batch(
      `exec proc_AddJob @JobId = 1, @UserTokenHeader = 0x${'ab'.repeat(33)}, @UserTokenSid = 0x01,
       @UserTokenGroups = 0x01, @Settings = NULL exec proc_SubmitJob 1`,
    );
    await fixture.addGroup(1n, 1, [1]);
    const [row] = await fixture.update([{ JobId: 1n, GroupId: 1, ItemId: 1 }]);
    assert.equal(row?.['UserTokenHeader'], 'ab'.repeat(32));
  });

  test(`${section('AddJob')}: @Settings may be NULL but must be given`, async () => {
    assert.deepEqual(await fixture.call('AddJob', { JobId: 1n }), { error: 201 });
    await fixture.addJob(1n, { Settings: null });
    await fixture.addGroup(1n, 1, [1]);
    assert.equal((await fixture.rows('GetGroups', { JobId: 1n }))[0]?.['Settings'], null);
  });

  test(`${section('AddGroup')}: the roots may be left out and out may be missing: they are NULL`, async () => {
    await fixture.addJob(1n);
    const JobXml = fixture.jobXml([1]).replace(/ out="[^"]*"/, '');
    await fixture.done('AddGroup', { JobId: 1n, GroupId: 1, MaxAttemptsCount: 1, JobXml });
    const [group] = await fixture.rows('GetGroups', { JobId: 1n });
    assert.deepEqual([group?.['InputRoot'], group?.['OutputRoot']], [null, null]);
    assert.equal((await fixture.items(1n))[0]?.['OutputFile'], null);
    await fixture.done('SubmitJob', { JobId: 1n });
    assert.equal((await fixture.batch())[0]?.['OutputFile'], null);
  });

  test(`${section('AddGroup')}: @MaxAttemptsCount or @JobXml NULL fails and adds nothing`, async () => {
    await fixture.addJob(1n);
    const add = (more: object) => fixture.call('AddGroup', { ...fixture.groupInput(1n, 1, [1]), ...more });
    assert.deepEqual(await add({ MaxAttemptsCount: null }), { error: 515 });
    assert.deepEqual(await add({ JobXml: null }), { error: 50000 });
    assert.deepEqual(await fixture.rows('GetGroups', { JobId: 1n }), []);
  });

  test(`${section('GetConversionBatch')}: the number counts stale items and items not started together, stale first`, async () => {
    await fixture.submittedJob(1n, [1, 2, 3, 4]);
    await fixture.start(1n, 3, 4);
    assert.deepEqual(await fixture.handedOut(0, fixture.at(10)), []);
    assert.deepEqual(await fixture.handedOut(1, fixture.at(10)), ['1/1/3']);
    assert.deepEqual(await fixture.handedOut(3, fixture.at(10)), ['1/1/3', '1/1/4', '1/1/1']);
    assert.deepEqual(await fixture.handedOut(9, fixture.at(10)), ['1/1/3', '1/1/4', '1/1/1', '1/1/2']);
  });

  test(`${section('GetItems')}: @PartitionId is unused; NULL in @JobId or @GroupId finds nothing`, async () => {
    await fixture.submittedJob(1n, [1], { PartitionId: partitionA });
    for (const PartitionId of [null, partitionA, partitionB]) {
      assert.equal((await fixture.items(1n, 1, PartitionId)).length, 1);
    }
    assert.deepEqual(await fixture.rows('GetItems', { JobId: null, GroupId: 1, ...allClasses }), []);
    assert.deepEqual(await fixture.rows('GetItems', { JobId: 1n, GroupId: null, ...allClasses }), []);
  });

  test(`${section('GetJobStatus')}: NULL does not ask for a partition, another partition does not describe the job`, async () => {
    await fixture.addJob(1n, { PartitionId: partitionA });
    assert.ok(await fixture.status(1n));
    assert.ok(await fixture.status(1n, partitionA));
    assert.equal(await fixture.status(1n, partitionB), undefined);
  });

  test(`${section('GetJobs')}: NULL lists all partitions`, async () => {
    await fixture.addJob(1n, { PartitionId: partitionA });
    await fixture.addJob(2n);
    assert.deepEqual(await fixture.jobIds(), [1n, 2n]);
    assert.deepEqual(await fixture.jobIds({ PartitionId: partitionA }), [1n]);
  });

  test(`${section('GetJobs')}: looks for a token only when both parts are given, byte for byte`, async () => {
    await fixture.addJob(1n, token([0], [1], [2]));
    await fixture.addJob(2n, token([0], [1], [3]));
    await fixture.addJob(3n, token(null, null, null));
    const find = (sid: number[] | null, groups: number[] | null) => {
      const { UserTokenSid, UserTokenGroups } = token(null, sid, groups);
      return fixture.jobIds({ UserTokenSid, UserTokenGroups });
    };
    assert.deepEqual(await find([1], [2]), [1n]);
    assert.deepEqual(await find([1], [2, 0]), []);
    assert.deepEqual(await find([1], null), [1n, 2n, 3n]);
    assert.deepEqual(await find(null, [3]), [1n, 2n, 3n]);
  });

  test(`${section('HasActiveJobs')}: returns exactly 1 however many jobs are active`, async () => {
    await fixture.submittedJob(1n, [1]);
    await fixture.submittedJob(2n, [1]);
    assert.deepEqual(await fixture.call('HasActiveJobs'), { status: 1 });
  });

  test(`${section('UpdateConversionBatch')}: the rows tell the three parts of the token as they came`, async () => {
    await fixture.submittedJob(1n, [1], token([0, 0, 7], [1], []));
    await fixture.submittedJob(2n, [1], token(null, null, null));
    const rows = await fixture.update([
      { JobId: 1n, GroupId: 1, ItemId: 1 },
      { JobId: 2n, GroupId: 1, ItemId: 1 },
    ]);
    const group = { GroupId: 1, InputRoot: 'http://contoso.com/in', OutputRoot: 'http://contoso.com/out' };
    const Settings = '<settings/>';
    assert.deepEqual(rows, [
      { JobId: 1n, ...group, Settings, UserTokenHeader: '000007', UserTokenSid: '01', UserTokenGroups: '' },
      { JobId: 2n, ...group, Settings, UserTokenHeader: null, UserTokenSid: null, UserTokenGroups: null },
    ]);
  });

  test(`${section('UpdateSucceededItem')}: takes @Reserved, and so does proc_UpdateFailedItem`, async () => {
    await fixture.submittedJob(1n, [1, 2]);
    const item = { JobId: 1n, GroupId: 1 };
    await fixture.done('UpdateSucceededItem', { ...item, ItemId: 1, Reserved: Buffer.from([1, 2]) });
    await fixture.done('UpdateFailedItem', {
      ...item,
      ItemId: 2,
      NoRetry: true,
      ErrorCode: 1,
      Reserved: Buffer.from([3]),
    });
    assert.deepEqual(await fixture.handedOut(), []);
  });

  test(`${section('JobsExpire')}: @IncludeActiveJobs 0 and NULL spare jobs with an unfinished item, without items, or unsubmitted`, async () => {
    for (const IncludeActiveJobs of [false, null]) {
      await fixture.submittedJob(1n, [1, 2]);
      await fixture.start(1n, 1);
      await fixture.succeed(1n, 1);
      await fixture.submittedJob(2n, [1]);
      await fixture.start(2n, 1);
      await fixture.succeed(2n, 1);
      await fixture.addJob(3n);
      await fixture.addJob(4n);
      await fixture.done('CancelJob', { JobId: 4n });
      await fixture.done('JobsExpire', { IncludeActiveJobs });
      assert.deepEqual(await fixture.jobIds(), [1n, 3n]);
      assert.deepEqual(await fixture.status(1n), [2, 0, 1, 0, 1, 0, 0]);
      await fixture.done('JobsExpire', { IncludeActiveJobs: true });
      assert.deepEqual(await fixture.jobIds(), []);
    }
  });

  test(`${section('JobsExpire')}: all conditions must hold: @JobId, CreateTime before @TimeThreshold, not active`, async () => {
    await fixture.submittedJob(1n, [1]);
    fixture.clock.advance(1000);
    await fixture.submittedJob(2n, [1]);
    const expire = (more: object) => fixture.done('JobsExpire', { IncludeActiveJobs: true, ...more });
    await expire({ JobId: 1n, IncludeActiveJobs: false });
    await expire({ JobId: 2n, TimeThreshold: fixture.now });
    await expire({ JobId: 9n });
    assert.deepEqual(await fixture.jobIds(), [1n, 2n]);
    await expire({ TimeThreshold: fixture.now });
    assert.deepEqual(await fixture.jobIds(), [2n]);
    await expire({ JobId: 2n, TimeThreshold: fixture.at(10) });
    assert.deepEqual(await fixture.jobIds(), []);
  });

  test(`${section('JobsExpire')}: @IncludeActiveJobs must be given`, async () => {
    assert.deepEqual(await fixture.call('JobsExpire', {}), { error: 201 });
  });
}
