import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { jsonLog, silentLog } from '../base/log/log.ts';
import type { Database, Db } from '../engine/db.ts';
import type { Kind, Upkeep } from '../procedure/kind.ts';
import { UpkeepRunner } from './upkeep-runner.ts';

/** The runner only asks an engine for its databases and a database for a transaction: no statement runs here. */
function databases(...names: readonly string[]) {
  const open = async (name: string): Promise<Database> => ({
    name,
    kind: 'tidy',
    mostReaders: 1,
    mostTransactions: 1,
    waits: async () => [],
    read: () => Promise.reject(new Error('upkeep writes')),
    few: () => Promise.reject(new Error('upkeep writes')),
    write: (work) => work({} as Db), // no step of these tests touches the database
    hold: () => assert.fail('nobody holds a snapshot'),
    begin: () => Promise.reject(new Error('upkeep has no transaction of its own')),
  });
  const list = async () => names.map((name, id) => ({ name, kind: 'tidy', id, created: new Date(0) }));
  return { open, list };
}

function kind(...upkeep: readonly Upkeep[]): Kind {
  const schema = { kind: 'tidy', migrations: [] };
  return { name: 'tidy', firstDatabase: 'Tidy', procedures: [], relations: [], schema, upkeep };
}

const never = 2 ** 30;

describe('UpkeepRunner', () => {
  test('takes step after step until none is left, then rests until it is woken', async () => {
    const clock = new ManualClock();
    const moments: Date[] = [];
    let left = 3;
    let rested = Promise.withResolvers<void>();
    const sweep: Upkeep = {
      name: 'sweep',
      async step(_db, now) {
        moments.push(now);
        left -= 1;
        if (left === 0) rested.resolve();
        return left > 0;
      },
    };
    await using runner = new UpkeepRunner({
      engine: databases('One'),
      kinds: [kind(sweep)],
      clock,
      log: silentLog,
      interval: never,
    });
    await runner.start();
    await rested.promise;
    assert.equal(moments.length, 3);
    assert.deepEqual(moments[0], clock.now());
    rested = Promise.withResolvers();
    left = 2;
    runner.wake();
    await rested.promise;
    assert.equal(moments.length, 5);
  });

  test('looks for work again after its interval', async () => {
    let steps = 0;
    const second = Promise.withResolvers<void>();
    const sweep: Upkeep = {
      name: 'sweep',
      async step() {
        steps += 1;
        if (steps === 2) second.resolve();
        return false;
      },
    };
    const options = { engine: databases('One'), kinds: [kind(sweep)], clock: new ManualClock(), log: silentLog };
    await using runner = new UpkeepRunner({ ...options, interval: 1 });
    await runner.start();
    await second.promise;
  });

  test('gives every database its step in turn, and goes on after one that fails', async () => {
    const lines: string[] = [];
    const done = Promise.withResolvers<void>();
    let steps = 0;
    const broken: Upkeep = { name: 'broken', step: () => Promise.reject(new Error('no such table')) };
    const sweep: Upkeep = {
      name: 'sweep',
      async step() {
        steps += 1;
        if (steps === 4) done.resolve();
        return steps < 4;
      },
    };
    await using runner = new UpkeepRunner({
      engine: databases('One', 'Two'),
      kinds: [kind(broken, sweep)],
      clock: new ManualClock(),
      log: jsonLog((line) => lines.push(line)),
      interval: never,
    });
    await runner.start();
    await done.promise;
    assert.match(lines[0] ?? '', /"database":"One","upkeep":"broken","error":"no such table"/);
    assert.match(lines[1] ?? '', /"database":"Two"/);
  });

  test('stops at once while it rests or works, may stop twice, and starts again', async () => {
    const started = Promise.withResolvers<void>();
    let steps = 0;
    const endless: Upkeep = {
      name: 'endless',
      async step() {
        steps += 1;
        started.resolve();
        return true;
      },
    };
    const parts = { clock: new ManualClock(), log: silentLog, interval: never };
    const busy = new UpkeepRunner({ engine: databases('One'), kinds: [kind(endless)], ...parts });
    await busy.start();
    await started.promise;
    await busy.stop();
    await busy.stop();
    const before = steps;
    await new Promise(setImmediate);
    assert.equal(steps, before);
    const idle = new UpkeepRunner({ engine: databases(), kinds: [], ...parts });
    for (let i = 0; i < 3; i++) {
      await idle.start();
      await new Promise(setImmediate);
      await idle.stop();
    }
  });
});
