import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { silentLog } from '../../base/log/log.ts';
import type { Database, LockWait } from '../../engine/db.ts';
import { type Holding, type Reader, ReaderGates } from './reader-gates.ts';

const { signal } = new AbortController();
const forEver = { timeout: -1, signal };
const limits = { mostInAll: Number.POSITIVE_INFINITY, longestWait: 600_000, longestHold: 0, longestBlock: 0 };

// A gate asks nothing else of a database.
const database = (name: string, waits: readonly LockWait[] = []) =>
  ({ name, mostReaders: 4, mostTransactions: 4, waits: async () => waits }) as unknown as Database;

class TestReader implements Reader {
  readonly login: string;
  readonly spid: number;
  stalled: number | undefined;
  wasCut = false;
  readonly expired: Holding[] = [];
  /** Ends what it reads. */
  readonly end = Promise.withResolvers<void>();

  constructor(login: string, spid = 51) {
    this.login = login;
    this.spid = spid;
  }

  stalledSince(): number | undefined {
    return this.stalled;
  }

  cut(): void {
    this.wasCut = true;
    this.end.resolve();
  }

  expire(what: Holding): void {
    this.expired.push(what);
    this.end.resolve();
  }

  /** Reads until it is ended; whether it was let in after a turn of the event loop. */
  async reads(gates: ReaderGates, from: Database): Promise<boolean> {
    let isIn = false;
    void gates.read(from, this, forEver, () => {
      isIn = true;
      return this.end.promise;
    });
    await new Promise(setImmediate);
    return isIn;
  }
}

const readers = (login: string, count: number) => Array.from({ length: count }, () => new TestReader(login));

describe('ReaderGates', () => {
  test('one login has three quarters of the places of a database, and others have the rest at once', async () => {
    const [gates, lab] = [new ReaderGates(silentLog, limits), database('Lab')];
    const entered = [];
    for (const reader of readers('low', 5)) entered.push(await reader.reads(gates, lab));
    assert.deepEqual(entered, [true, true, true, false, false]);
    assert.ok(await new TestReader('other').reads(gates, lab));
  });

  test('a session that reads a database is let in there again, however full it is: it would wait for itself', async () => {
    const [gates, lab] = [new ReaderGates(silentLog, limits), database('Lab')];
    const [reader, ...others] = readers('low', 4);
    assert.ok(reader && (await reader.reads(gates, lab)));
    for (const other of others) await other.reads(gates, lab);
    assert.ok(await reader.reads(gates, lab));
    assert.equal(await new TestReader('low').reads(gates, lab), false);
  });

  test('one login has three quarters of those of all databases, whichever they are', async () => {
    const gates = new ReaderGates(silentLog, { ...limits, mostInAll: 8 });
    const entered = [];
    for (const [at, reader] of readers('low', 8).entries()) {
      entered.push(await reader.reads(gates, database(`Lab ${at}`)));
    }
    assert.equal(entered.filter((isIn) => isIn).length, 6);
    assert.ok(await new TestReader('other').reads(gates, database('Another')));
  });

  test('who waits gets the place of the client that has left its answer unread for longest', async () => {
    const [gates, lab] = [new ReaderGates(silentLog, limits), database('Lab')];
    const inside = [...readers('low', 3), ...readers('other', 1)];
    for (const reader of inside) assert.ok(await reader.reads(gates, lab));
    const [first, second] = inside;
    assert.ok(first && second);
    first.stalled = performance.now() - 5000;
    second.stalled = performance.now() - 9000;
    await new TestReader('third').reads(gates, lab);
    assert.deepEqual([first.wasCut, second.wasCut], [false, true]);
  });

  test('a wait for a place has an end: 1222', async () => {
    const gates = new ReaderGates(silentLog, { ...limits, longestWait: 10 });
    const lab = database('Lab');
    for (const reader of readers('low', 3)) assert.ok(await reader.reads(gates, lab));
    const late = gates.read(lab, new TestReader('low'), forEver, async () => {});
    await assert.rejects(late, { number: 1222 });
  });

  test('nobody holds a place for longer than the set time', async () => {
    const gates = new ReaderGates(silentLog, { ...limits, longestHold: 20 });
    const [reading, holding] = [new TestReader('low'), new TestReader('low')];
    assert.ok(await reading.reads(gates, database('Lab')));
    const { leave } = await gates.hold(database('Lab'), 'transaction', holding, forEver, async () => 'held');
    await Promise.all([reading.end.promise, holding.end.promise]);
    assert.deepEqual([reading.expired, holding.expired], [['read'], ['transaction']]);
    leave();
  });

  test('a transaction that others wait for ends after a shorter time, one that nobody waits for does not', async () => {
    const gates = new ReaderGates(silentLog, { ...limits, longestBlock: 20 });
    const lab = database('Lab', [{ who: 60, blockedBy: 52, milliseconds: 1 }]);
    const [reading, free, blocking] = [51, 51, 52].map((spid) => new TestReader('low', spid));
    assert.ok(reading && free && blocking);
    assert.ok(await reading.reads(gates, lab));
    const alone = await gates.hold(lab, 'transaction', free, forEver, async () => 'held');
    const waitedFor = await gates.hold(lab, 'transaction', blocking, forEver, async () => 'held');
    await blocking.end.promise;
    assert.deepEqual([reading.expired, free.expired, blocking.expired], [[], [], ['transaction']]);
    alone.leave();
    waitedFor.leave();
    reading.end.resolve();
  });
});
