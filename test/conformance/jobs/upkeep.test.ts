import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../src/base/clock.ts';
import type { Database } from '../../../src/engine/db.ts';
import { sql } from '../../../src/engine/sql.ts';
import { orNull } from '../../../src/procedure/declare.ts';
import { catchUpRunning, removeExpired } from '../../../src/protocols/jobs/upkeep.ts';
import { translation } from '../../../src/protocols/translation/kind.ts';
import { datetime, int } from '../../../src/tds/types/index.ts';
import { forEachEngine, openEngine } from '../../support/engines.ts';
import { batchUpdate, jobAdd } from './documents.ts';
import { allClasses, procedureOf, worker } from './fixture.ts';
import { InProcessHost } from './hosts.ts';

const family = 'translation/2010/11';

/** Calls on a database, each in a transaction of its own. */
function caller(database: Database, clock: ManualClock) {
  const host = new InProcessHost({ run: (work) => database.write(work) }, clock);
  return async (name: string, input: Readonly<Record<string, unknown>>) => {
    const answer = await host.call(procedureOf(translation, name), input);
    assert.equal(answer.error, undefined, name);
    return answer;
  };
}

async function addJob(call: ReturnType<typeof caller>, JobId: bigint, count: number): Promise<void> {
  const items = Array.from({ length: count }, (_, place) => ({ ItemId: place + 1, InputFile: 'a', OutputFile: 'b' }));
  await call('AddJob', { JobId, UserToken: Buffer.from([1]), Settings: '' });
  const roots = { InputRoot: '', OutputRoot: '' };
  await call('AddGroup', { JobId, GroupId: 1, ...roots, MaxAttemptsCount: 1, JobXml: jobAdd(family, items) });
  await call('SubmitJob', { JobId });
}

/** The ids of the items of job 1 that are there. */
async function itemsLeft(call: ReturnType<typeof caller>): Promise<unknown[] | undefined> {
  const switches = Object.fromEntries(Object.keys(allClasses).map((name) => [name, null]));
  return (await call('GetItems', { JobId: 1n, GroupId: 1, ...switches })).rows?.map((row) => row['ItemId']);
}

const countOf = async (database: Database, table: 'items' | 'groups' | 'purges') => {
  const counts = {
    items: sql`select count(*) as "Rows" from items`,
    groups: sql`select count(*) as "Rows" from groups`,
    purges: sql`select count(*) as "Rows" from purges`,
  };
  return (await database.read((db) => db.first({ Rows: int }, counts[table])))?.Rows;
};

forEachEngine((engine) => {
  test('MS-TSSPROC 3.1.5.13: an expired job is gone at once; upkeep removes its rows a few hundred at a time', async () => {
    const clock = new ManualClock();
    await using storage = await openEngine(engine, { schemas: [translation.schema], clock });
    const database = await storage.create('Jobs', 'translation');
    const call = caller(database, clock);
    await addJob(call, 1n, 1000);
    await call('JobsExpire', { JobId: 1n, IncludeActiveJobs: true });
    assert.equal(await countOf(database, 'items'), 1000);
    await addJob(call, 1n, 2);
    assert.deepEqual((await call('GetJobStatus', { JobId: 1n })).rows?.[0]?.['Total'], 2);
    const left: unknown[] = [];
    while (await database.write((db) => removeExpired.step(db, clock.now())))
      left.push(await countOf(database, 'items'));
    assert.deepEqual(left, [702, 402, 102, 2]);
    assert.deepEqual([await countOf(database, 'groups'), await countOf(database, 'purges')], [1, 0]);
    assert.deepEqual((await call('GetJobStatus', { JobId: 1n })).rows?.[0]?.['Total'], 2);
  });

  test('MS-TSSPROC 3.1.5.13: upkeep removes expired items of a job that stays, and not one that stopped at the same moment', async () => {
    const clock = new ManualClock();
    await using storage = await openEngine(engine, { schemas: [translation.schema], clock });
    const database = await storage.create('Jobs', 'translation');
    const call = caller(database, clock);
    await addJob(call, 1n, 700);
    const failed = Array.from({ length: 650 }, (_, place) => ({
      JobId: 1n,
      GroupId: 1,
      ItemId: place + 1,
      ErrorCode: 1,
    }));
    await call('UpdateConversionBatch', { BatchXml: batchUpdate(family, [], failed) });
    clock.advance(1000);
    await call('JobsExpire', { IncludeActiveJobs: false });
    await call('UpdateSucceededItem', { JobId: 1n, GroupId: 1, ItemId: 700 });
    assert.equal(await countOf(database, 'items'), 700);
    assert.equal((await call('GetJobStatus', { JobId: 1n })).rows?.[0]?.['Total'], 50);
    while (await database.write((db) => removeExpired.step(db, clock.now())));
    assert.deepEqual([await countOf(database, 'items'), await countOf(database, 'purges')], [50, 0]);
    assert.equal((await call('GetJobStatus', { JobId: 1n })).rows?.[0]?.['Total'], 50);
    await call('JobsExpire', { JobId: 1n, IncludeActiveJobs: false });
    while (await database.write((db) => removeExpired.step(db, clock.now())));
    assert.deepEqual([await countOf(database, 'items'), await countOf(database, 'groups')], [0, 0]);
  });

  test('MS-TSSPROC 3.1.5.13: what stops in the moment of an expiry stays, and goes with the next one in the same moment', async () => {
    const clock = new ManualClock();
    await using storage = await openEngine(engine, { schemas: [translation.schema], clock });
    const database = await storage.create('Jobs', 'translation');
    const call = caller(database, clock);
    await addJob(call, 1n, 4);
    const succeed = (ItemId: number) => call('UpdateSucceededItem', { JobId: 1n, GroupId: 1, ItemId });
    const left = () => itemsLeft(call);
    await succeed(1);
    await call('JobsExpire', { IncludeActiveJobs: false });
    assert.deepEqual(await left(), [2, 3, 4]);
    await succeed(2);
    assert.deepEqual(await left(), [2, 3, 4]);
    await call('JobsExpire', { IncludeActiveJobs: false, TimeThreshold: clock.now() });
    assert.deepEqual(await left(), [2, 3, 4], 'what stopped at the threshold did not stop before it');
    await call('JobsExpire', { IncludeActiveJobs: false, TimeThreshold: new Date(clock.now().getTime() + 60_000) });
    assert.deepEqual(await left(), [3, 4]);
    await succeed(3);
    await call('JobsExpire', { IncludeActiveJobs: false });
    assert.deepEqual(await left(), [4]);
    while (await database.write((db) => removeExpired.step(db, clock.now())));
    assert.deepEqual([await left(), await countOf(database, 'items')], [[4], 1]);
  });

  test('MS-TSSPROC 3.1.5.13: a clock that went back neither spares what stopped before the threshold nor takes what did not', async () => {
    const clock = new ManualClock();
    await using storage = await openEngine(engine, { schemas: [translation.schema], clock });
    const database = await storage.create('Jobs', 'translation');
    const call = caller(database, clock);
    await addJob(call, 1n, 5);
    const succeed = (ItemId: number) => call('UpdateSucceededItem', { JobId: 1n, GroupId: 1, ItemId });
    const expire = (offset: number) =>
      call('JobsExpire', { IncludeActiveJobs: false, TimeThreshold: new Date(clock.now().getTime() + offset) });
    await succeed(1);
    clock.advance(-3_600_000);
    await expire(3_000_000);
    assert.deepEqual(await itemsLeft(call), [1, 2, 3, 4, 5], 'it stopped after the threshold');
    await expire(5_000_000);
    assert.deepEqual(await itemsLeft(call), [2, 3, 4, 5]);
    clock.advance(7_200_000);
    await succeed(2);
    clock.advance(1000);
    await expire(0);
    assert.deepEqual(await itemsLeft(call), [3, 4, 5]);
    clock.advance(-7_200_000);
    await succeed(3);
    await expire(1_800_000);
    assert.deepEqual(await itemsLeft(call), [3, 4, 5], 'it stopped no earlier than the last expiry');
    await call('JobsExpire', { IncludeActiveJobs: false });
    assert.deepEqual(await itemsLeft(call), [4, 5]);
  });

  test('MS-TSSPROC 3.1.5.5: upkeep forgets jobs without items in progress and keeps the oldest start of the others', async () => {
    const clock = new ManualClock();
    await using storage = await openEngine(engine, { schemas: [translation.schema], clock });
    const database = await storage.create('Jobs', 'translation');
    const call = caller(database, clock);
    await addJob(call, 1n, 2);
    const start = (ItemId: number) =>
      call('UpdateConversionBatch', {
        BatchXml: batchUpdate(family, [{ JobId: 1n, GroupId: 1, ItemId, Worker: worker }]),
      });
    const since = async () =>
      (
        await database.read((db) =>
          db.first({ Since: orNull(datetime) }, sql`select running_since as "Since" from jobs`),
        )
      )?.Since;
    const catchUp = () => database.write((db) => catchUpRunning.step(db, clock.now()));
    const first = clock.now();
    await start(1);
    clock.advance(200_000);
    const second = clock.now();
    await start(2);
    assert.deepEqual(await since(), first);
    await call('UpdateSucceededItem', { JobId: 1n, GroupId: 1, ItemId: 1 });
    await catchUp();
    assert.deepEqual(await since(), second);
    const stale = { NumberOfConversionsInBatch: 0, InProgressThreshold: new Date(second.getTime() + 10) };
    assert.equal((await call('GetConversionBatch', stale)).rows?.length, 1);
    await call('UpdateSucceededItem', { JobId: 1n, GroupId: 1, ItemId: 2 });
    clock.advance(200_000);
    await catchUp();
    assert.equal(await since(), null);
  });
});
