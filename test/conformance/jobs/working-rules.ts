import assert from 'node:assert/strict';
import { test } from 'node:test';
import { badBatchUpdates } from './bad-documents.ts';
import { batchUpdate } from './documents.ts';
import { type JobsFixture, procedureOf, worker } from './fixture.ts';

/** What the three protocols say alike of handing out items and of what becomes of them. */
export function workingRules(fixture: JobsFixture): void {
  const { kind, family } = fixture.protocol;
  const section = (name: string) => procedureOf(kind, name).section;
  const item = (JobId: bigint, ItemId: number, GroupId = 1) => ({ JobId, GroupId, ItemId });

  test(`${section('GetConversionBatch')}: items not started of submitted, uncancelled jobs, the oldest job first`, async () => {
    await fixture.submittedJob(5n, [2, 1]);
    fixture.clock.advance(1000);
    await fixture.submittedJob(3n, [1]);
    await fixture.addJob(1n);
    await fixture.addGroup(1n, 1, [1]);
    await fixture.submittedJob(2n, [1]);
    await fixture.done('CancelJob', { JobId: 2n });
    await fixture.submittedJob(4n, [1, 2]);
    await fixture.succeed(4n, 1);
    assert.deepEqual(await fixture.handedOut(), ['5/1/1', '5/1/2', '3/1/1', '4/1/2']);
    assert.deepEqual(await fixture.handedOut(2), ['5/1/1', '5/1/2']);
    assert.deepEqual(await fixture.handedOut(3), ['5/1/1', '5/1/2', '3/1/1']);
  });

  test(`${section('GetConversionBatch')}: each kind by the job's CreateTime, JobId, GroupId and ItemId`, async () => {
    await fixture.submittedJob(7n, [2, 1]);
    await fixture.submittedJob(-7n, [1]);
    await fixture.addGroup(-7n, 3, [1]);
    await fixture.addGroup(-7n, 2, [1, 2]);
    fixture.clock.advance(-5000);
    await fixture.submittedJob(9n, [1]);
    const inOrder = ['9/1/1', '-7/1/1', '-7/2/1', '-7/2/2', '-7/3/1', '7/1/1', '7/1/2'];
    assert.deepEqual(await fixture.handedOut(), inOrder);
    assert.deepEqual(await fixture.handedOut(6), inOrder.slice(0, 6));
    for (const named of [item(7n, 2), item(7n, 1), item(-7n, 1, 3), item(-7n, 2, 2), item(9n, 1)]) {
      fixture.clock.advance(1000);
      await fixture.update([named]);
    }
    const stale = ['9/1/1', '-7/2/2', '-7/3/1', '7/1/1', '7/1/2'];
    assert.deepEqual(await fixture.handedOut(9, fixture.at(1000)), [...stale, '-7/1/1', '-7/2/1']);
  });

  test(`${section('GetConversionBatch')}: only reads: the same items come again until they are started`, async () => {
    await fixture.submittedJob(1n, [1, 2]);
    assert.deepEqual(await fixture.batch(), await fixture.batch());
    await fixture.start(1n, 1);
    assert.deepEqual(await fixture.handedOut(), ['1/1/2']);
  });

  test(`${section('GetConversionBatch')}: an item in progress is stale when it started before the threshold, not at it`, async () => {
    await fixture.submittedJob(1n, [1]);
    const created = fixture.now;
    fixture.clock.advance(1000);
    await fixture.start(1n, 1);
    const started = fixture.now;
    assert.deepEqual(await fixture.batch(5, started), []);
    const [row] = await fixture.batch(5, fixture.at(10));
    assert.deepEqual(row, {
      JobId: 1n,
      GroupId: 1,
      ItemId: 1,
      InProgress: true,
      InputFile: '1.docx',
      OutputFile: '1.pdf',
      AttemptsRemaining: 1,
      WorkerServerInstance: worker,
      StartTime: started,
      CreateTime: created,
    });
    await fixture.succeed(1n, 1);
    assert.deepEqual(await fixture.batch(5, fixture.at(10)), []);
  });

  test(`${section('GetConversionBatch')}: stale items of cancelled or unsubmitted jobs are not returned`, async () => {
    await fixture.submittedJob(1n, [1]);
    await fixture.start(1n, 1);
    await fixture.done('CancelJob', { JobId: 1n });
    await fixture.addJob(2n);
    await fixture.addGroup(2n, 1, [1]);
    await fixture.start(2n, 1);
    assert.deepEqual(await fixture.batch(5, fixture.at(10)), []);
    await fixture.done('SubmitJob', { JobId: 2n });
    assert.deepEqual(await fixture.handedOut(5, fixture.at(10)), ['2/1/1']);
  });

  test(`${section('GetConversionBatch')}: a negative number fails with 127; NULL is refused`, async () => {
    const ask = (count: number | null, threshold: Date | null) =>
      fixture.call('GetConversionBatch', { NumberOfConversionsInBatch: count, InProgressThreshold: threshold });
    assert.deepEqual(await ask(-1, fixture.now), { error: 127 });
    assert.deepEqual(await ask(null, fixture.now), { error: 515 });
    assert.deepEqual(await ask(1, null), { error: 515 });
  });

  test(`${section('UpdateConversionBatch')}: start sets StartTime and worker and takes an attempt, not below zero`, async () => {
    await fixture.addJob(1n);
    await fixture.addGroup(1n, 1, [1], 1);
    await fixture.done('SubmitJob', { JobId: 1n });
    await fixture.update([{ ...item(1n, 1) }]);
    fixture.clock.advance(1000);
    const BatchXml = batchUpdate(family, [{ ...item(1n, 1), Worker: worker.toUpperCase() }]);
    await fixture.done('UpdateConversionBatch', { BatchXml });
    const [row] = await fixture.batch(1, fixture.at(10));
    assert.deepEqual(
      [row?.['StartTime'], row?.['WorkerServerInstance'], row?.['AttemptsRemaining']],
      [fixture.now, worker, 0],
    );
  });

  test(`${section('UpdateConversionBatch')}: failed sets StopTime and ErrorCode and leaves StartTime`, async () => {
    await fixture.submittedJob(1n, [1, 2]);
    await fixture.start(1n, 1);
    const started = fixture.now;
    fixture.clock.advance(1000);
    await fixture.update(
      [],
      [
        { ...item(1n, 1), ErrorCode: 10 },
        { ...item(1n, 2), ErrorCode: -11 },
      ],
    );
    const files = (id: number) => ({ InputFile: `${id}.docx`, OutputFile: `${id}.pdf` });
    assert.deepEqual(await fixture.items(1n), [
      { ItemId: 1, StartTime: started, StopTime: fixture.now, ErrorCode: 10, ...files(1) },
      { ItemId: 2, StartTime: null, StopTime: fixture.now, ErrorCode: -11, ...files(2) },
    ]);
    assert.deepEqual(await fixture.status(1n), [2, 0, 1, 0, 0, 1, 0]);
    assert.deepEqual(await fixture.handedOut(), []);
  });

  test(`${section('UpdateConversionBatch')}: a row for each group with an updated item, started or failed`, async () => {
    await fixture.submittedJob(2n, [1, 2]);
    await fixture.addGroup(2n, 3, [1]);
    await fixture.submittedJob(1n, [1]);
    const rows = await fixture.update(
      [item(2n, 1), item(2n, 2), item(1n, 1), item(1n, 77), item(9n, 1)],
      [{ ...item(2n, 1, 3), ErrorCode: 1 }],
    );
    assert.deepEqual(
      rows.map((row) => [row['JobId'], row['GroupId'], row['InputRoot'], row['OutputRoot'], row['Settings']]),
      [
        [1n, 1, 'http://contoso.com/in', 'http://contoso.com/out', '<settings/>'],
        [2n, 1, 'http://contoso.com/in', 'http://contoso.com/out', '<settings/>'],
        [2n, 3, 'http://contoso.com/in', 'http://contoso.com/out', '<settings/>'],
      ],
    );
    assert.deepEqual(await fixture.update([item(9n, 1)]), []);
    assert.deepEqual(await fixture.update([]), []);
  });

  test(`${section('UpdateConversionBatch')}: an item named twice is updated once, one named in both is started and failed`, async () => {
    await fixture.submittedJob(1n, [1, 2]);
    await fixture.update(
      [item(1n, 1), item(1n, 1), item(1n, 2)],
      [
        { ...item(1n, 2), ErrorCode: 1 },
        { ...item(1n, 2), ErrorCode: 2 },
      ],
    );
    const [row] = await fixture.batch(5, fixture.at(10));
    assert.deepEqual([row?.['ItemId'], row?.['AttemptsRemaining']], [1, 1]);
    assert.deepEqual((await fixture.item(1n, 2))?.['ErrorCode'], 2);
    assert.deepEqual(await fixture.status(1n), [2, 0, 0, 1, 0, 1, 0]);
  });

  for (const [wrong, BatchXml, error] of badBatchUpdates(family)) {
    test(`${section('UpdateConversionBatch')}: @BatchXml that ${wrong} fails with ${error}, nothing is updated`, async () => {
      await fixture.submittedJob(1n, [1]);
      assert.deepEqual(await fixture.call('UpdateConversionBatch', { BatchXml }), { error });
      assert.deepEqual(await fixture.status(1n), [1, 0, 1, 0, 0, 0, 0]);
    });
  }

  test(`${section('UpdateFailedItem')}: with @NoRetry 0 and attempts left the item is handed out again`, async () => {
    await fixture.submittedJob(1n, [1]);
    await fixture.start(1n, 1);
    await fixture.fail(1n, 1, false);
    assert.deepEqual(await fixture.status(1n), [1, 0, 1, 0, 0, 0, 0]);
    const [row] = await fixture.batch();
    assert.deepEqual(
      [row?.['InProgress'], row?.['AttemptsRemaining'], row?.['WorkerServerInstance'], row?.['StartTime']],
      [false, 1, null, null],
    );
  });

  test(`${section('UpdateFailedItem')}: without attempts left, or with @NoRetry 1 or NULL, the item ends with the error`, async () => {
    await fixture.submittedJob(1n, [1, 2, 3]);
    await fixture.start(1n, 1, 2, 3);
    await fixture.start(1n, 1);
    const started = fixture.now;
    fixture.clock.advance(1000);
    await fixture.fail(1n, 1, false, 5);
    await fixture.fail(1n, 2, true, 6);
    await fixture.fail(1n, 3, null, null);
    assert.deepEqual(
      (await fixture.items(1n)).map((row) => [row['StartTime'], row['StopTime'], row['ErrorCode']]),
      [
        [started, fixture.now, 5],
        [started, fixture.now, 6],
        [started, fixture.now, null],
      ],
    );
    assert.deepEqual(await fixture.status(1n), [3, 0, 0, 0, 1, 2, 0]);
  });

  test(`${section('UpdateFailedItem')}: a finished item that is put back is not handed out, and an unknown item changes nothing`, async () => {
    await fixture.submittedJob(1n, [1]);
    await fixture.start(1n, 1);
    await fixture.succeed(1n, 1);
    await fixture.fail(1n, 1, false);
    assert.deepEqual(await fixture.handedOut(), []);
    assert.deepEqual(await fixture.status(1n), [1, 0, 1, 0, 0, 0, 0]);
    await fixture.fail(1n, 2);
    await fixture.fail(9n, 1);
  });

  test(`${section('UpdateSucceededItem')}: sets StopTime to now, ErrorCode to NULL and leaves StartTime`, async () => {
    await fixture.submittedJob(1n, [1]);
    await fixture.start(1n, 1);
    const started = fixture.now;
    fixture.clock.advance(1000);
    await fixture.fail(1n, 1);
    fixture.clock.advance(1000);
    await fixture.succeed(1n, 1);
    const files = { InputFile: '1.docx', OutputFile: '1.pdf' };
    assert.deepEqual(await fixture.items(1n), [
      { ItemId: 1, StartTime: started, StopTime: fixture.now, ErrorCode: null, ...files },
    ]);
    await fixture.succeed(1n, 2);
    await fixture.succeed(9n, 1);
  });

  test(`${section('UpdateSucceededItem')}: StopTime is the moment that the call runs at, not the one that it began to wait at`, async () => {
    await fixture.submittedJob(1n, [1]);
    await using other = await fixture.connect();
    await other.batch('begin transaction exec proc_UpdateFailedItem 1, 1, 1, 1, 7');
    const succeeded = fixture.succeed(1n, 1);
    await using later = await fixture.connect();
    assert.deepEqual((await later.batch('select 1 as One')).sets, [[{ One: 1 }]]);
    fixture.clock.advance(1000);
    await other.batch('commit');
    await succeeded;
    const item = await fixture.item(1n, 1);
    assert.deepEqual([item?.['StopTime'], item?.['ErrorCode']], [fixture.now, null]);
  });

  test(`${section('UpdateSucceededItem')}: applies in a cancelled job and to an item that never started`, async () => {
    await fixture.submittedJob(1n, [1, 2]);
    await fixture.start(1n, 1);
    await fixture.done('CancelJob', { JobId: 1n });
    await fixture.succeed(1n, 1);
    assert.deepEqual(await fixture.status(1n), [2, 0, 0, 0, 1, 0, 1]);
    await fixture.submittedJob(2n, [1]);
    await fixture.succeed(2n, 1);
    assert.deepEqual(await fixture.status(2n), [1, 0, 1, 0, 0, 0, 0]);
    assert.deepEqual(await fixture.handedOut(), []);
  });

  test(`${section('JobsExpire')}: nothing is left of a deleted job, and its JobId can be used again at once`, async () => {
    await fixture.submittedJob(1n, [1, 2]);
    await fixture.start(1n, 1);
    await fixture.done('JobsExpire', { JobId: 1n, IncludeActiveJobs: true });
    assert.deepEqual(await fixture.rows('GetJobStatus', { JobId: 1n }), []);
    assert.deepEqual(await fixture.rows('GetGroups', { JobId: 1n }), []);
    assert.deepEqual(await fixture.items(1n), []);
    assert.deepEqual(await fixture.handedOut(100, fixture.at(10)), []);
    assert.equal((await fixture.call('HasActiveJobs')).status, 0);
    await fixture.succeed(1n, 1);
    await fixture.submittedJob(1n, [2]);
    assert.deepEqual(await fixture.status(1n), [1, 0, 1, 0, 0, 0, 0]);
    assert.deepEqual(await fixture.handedOut(100, fixture.at(10)), ['1/1/2']);
  });
}
