import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../../src/base/clock.ts';
import type { Database } from '../../../../src/engine/db.ts';
import { sql } from '../../../../src/engine/sql.ts';
import { config } from '../../../../src/protocols/config/kind.ts';
import type { takeVersions } from '../../../../src/protocols/config/row-version.ts';
import { rowversion } from '../../../../src/tds/types/index.ts';
import { openEngine } from '../../../support/engines.ts';
import { guid } from '../farm.ts';
import { forEachFarm } from '../with-farm.ts';

type TakeVersions = typeof takeVersions;
const start = '2024-01-15T10:30:00.000Z';
let processes = 0;

/** The counter as a process that has just started has it: without the memory of the one before. */
async function asNewProcess(): Promise<TakeVersions> {
  const url = new URL(`../../../../src/protocols/config/row-version.ts?process=${++processes}`, import.meta.url);
  // The module is the one whose type is imported above, under another address.
  return ((await import(url.href)) as { takeVersions: TakeVersions }).takeVersions;
}

const take = (database: Database, takeVersions: TakeVersions, clock: ManualClock, count?: number) =>
  database.write((db) => takeVersions({ db, now: clock.now() }, count), { serial: true });

/** What a backup of the database holds of the counter. */
const backUp = async (database: Database): Promise<bigint> => {
  const row = await database.read((db) => db.first({ Last: rowversion }, sql`select last as "Last" from row_version`));
  return row?.Last ?? assert.fail('the counter has no row');
};
const restore = (database: Database, last: bigint) =>
  database.write((db) => db.run(sql`update row_version set last = ${last}`), { serial: true });

forEachFarm((withFarm, engine) => {
  test('MS-WSSCFGD2 3.1.5.54: a version seen in a transaction that was rolled back is never given again', () =>
    withFarm(async (farm) => {
      const id = guid('1');
      const kept = await farm.stored(id);
      await farm.begin();
      const undone = await farm.stored(id, { Version: kept, Status: 1 });
      await farm.rollback();
      assert.equal((await farm.object(id))?.version, kept);
      assert.equal((await farm.put(id, { Version: undone })).status, 4);
      const next = await farm.stored(id, { Version: kept, Status: 2 });
      assert.ok(next > undone, 'the clock stands still, and yet the number is a new one');
      assert.equal((await farm.put(id, { Version: undone })).status, 4);
    }, new ManualClock(start)));

  test('MS-WSSCFGD2 3.1.5.54: what a failed call took is not given to the next one either', () =>
    withFarm(async (farm) => {
      await farm.stored(guid('1'));
      await farm.stored(guid('2'), { ParentId: guid('1') });
      await farm.stored(guid('3'));
      await farm.depend(guid('3'), guid('2'));
      const mark = (await farm.changesSince(0n)).lastUpdate ?? 0n;
      await assert.rejects(farm.drop(guid('1')), { number: 547 });
      assert.deepEqual((await farm.changesSince(mark)).sets, 0);
      assert.ok((await farm.stored(guid('4'))) > mark);
    }, new ManualClock(start)));

  test('row versions go on above the last one when the clock stands still or was set back', async () => {
    await using store = await openEngine(engine, { schemas: [config.schema] });
    const database = await store.create('Config', 'config');
    const clock = new ManualClock(start);
    const first = await take(database, await asNewProcess(), clock);
    const second = await take(database, await asNewProcess(), clock);
    clock.advance(-86_400_000);
    const third = await take(database, await asNewProcess(), clock, 1000);
    const fourth = await take(database, await asNewProcess(), clock);
    assert.ok(first < second && second < third);
    assert.ok(fourth > third + 999n * 4n, 'above all of the thousand');
  });

  test('row versions go on above those that a restored backup has never heard of', async () => {
    await using store = await openEngine(engine, { schemas: [config.schema] });
    const database = await store.create('Config', 'config');
    const clock = new ManualClock(start);
    const before = await asNewProcess();
    await take(database, before, clock);
    const backup = await backUp(database);
    clock.advance(60_000);
    let highest = 0n;
    for (let at = 0; at < 200; at++) highest = await take(database, before, clock);

    await restore(database, backup);
    assert.ok((await take(database, before, clock)) > highest, 'restored under a running server, at the same moment');

    await restore(database, backup);
    clock.advance(1000);
    assert.ok((await take(database, await asNewProcess(), clock)) > highest, 'restored, and the server started again');
  });
});
