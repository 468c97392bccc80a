import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database, Db } from '../../../src/engine/db.ts';
import { sql } from '../../../src/engine/sql.ts';
import {
  type CheckpointAnswer,
  Checkpointer,
  type CheckpointRequest,
} from '../../../src/engine/sqlite/log/checkpointer.ts';
import { until } from '../../robustness/support/until.ts';
import { number } from './fixture.ts';
import { insert, openFile } from './sqlite-file.ts';

/** Checkpoints of which the first of a mode is held back until it is let go. */
class HeldCheckpointer extends Checkpointer {
  readonly modes: CheckpointRequest['mode'][] = [];
  readonly #mode: CheckpointRequest['mode'];
  readonly #held = Promise.withResolvers<void>();

  constructor(mode: CheckpointRequest['mode']) {
    super();
    this.#mode = mode;
  }

  letGo(): void {
    this.#held.resolve();
  }

  override async run(path: string, mode: CheckpointRequest['mode']): Promise<CheckpointAnswer> {
    this.modes.push(mode);
    if (mode === this.#mode) await this.#held.promise;
    return super.run(path, mode);
  }
}

/** Pages of a log that is to start over. */
const pages = 1000;
const muchWork = {};

/** A call that writes rows of a page each. */
const much = (database: Database, first: number, count: number) =>
  database.write(
    async (db: Db) => {
      // So long that it counts as much, whatever the machine does.
      await delay(100);
      for (let id = first; id < first + count; id++)
        await db.run(sql`insert into things (id, name) values (${id}, ${'x'.repeat(3500)})`);
    },
    { like: muchWork },
  );

test('while a long log is copied, calls that write little go on, and those that write much wait until it starts over', async () => {
  const checkpointer = new HeldCheckpointer('passive');
  await using file = await openFile(undefined, undefined, { checkpointer, longestLog: 2 * pages * 4096 });
  const { database, connection } = file;
  await much(database, 1, 2 * pages);
  await until('the log is being copied', () => checkpointer.modes.length === 1);
  assert.ok(connection.logPages() > pages);
  const order: string[] = [];
  const waiting = much(database, 10_000, 1).then(() => order.push('much'));
  for (let id = 1; id <= 5; id++) await database.write((db) => db.run(insert(id)));
  order.push('little');
  checkpointer.letGo();
  await waiting;
  assert.deepEqual(order, ['little', 'much']);
  assert.deepEqual(checkpointer.modes.slice(0, 3), ['passive', 'restart', 'begin']);
  assert.ok(connection.logPages() < 100, `the log has ${connection.logPages()} pages`);
  const counted = await database.read((db) => db.all({ id: number }, sql`select id from counters`));
  assert.equal(counted.length, 5);
});

test('a call that writes little and has waited for the log to start over does not wait for one that writes much too', async () => {
  const checkpointer = new HeldCheckpointer('restart');
  await using file = await openFile(undefined, undefined, { checkpointer, longestLog: 2 * pages * 4096 });
  const { database } = file;
  const order: string[] = [];
  const before = much(database, 1, 2 * pages);
  const waiting = much(database, 10_000, 1).then(() => order.push('much'));
  await before;
  await until('the log is to start over', () => checkpointer.modes.includes('restart'));
  const little = database.write((db) => db.run(insert(1))).then(() => order.push('little'));
  checkpointer.letGo();
  await Promise.all([waiting, little]);
  assert.deepEqual(order, ['little', 'much']);
});

/** Whoever reads until it is let go, and what it counts then. */
async function heldRead(database: Database) {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const counted = database.read(async (db) => {
    const before = await db.all({ id: number }, sql`select id from counters`);
    begin();
    await held;
    const after = await db.all({ id: number }, sql`select id from counters`);
    return { before: before.length, after: after.length };
  });
  await begun;
  return { counted, letGo };
}

/** Writes, a little at a time, until something is so. */
const writeUntil = (database: Database, what: string, isSo: () => boolean) => {
  let id = 0;
  return until(what, async () => {
    const next = ++id;
    await database.write((db) =>
      db.run(sql`insert into counters (id, n) values (${next}, 0) on conflict (id) do nothing`),
    );
    return isSo();
  });
};

test('reads that overlap leave room for the log to start over: who wants to read much waits for who reads, nobody is cut, and writers go on', async () => {
  const checkpointer = new HeldCheckpointer('begin');
  checkpointer.letGo();
  const patience = Number.POSITIVE_INFINITY;
  await using file = await openFile(undefined, undefined, { checkpointer, longestLog: 2 * pages * 4096, patience });
  const { database, connection } = file;
  const first = await heldRead(database);
  await much(database, 1, 2 * pages);
  await writeUntil(database, 'the log is to start over', () => checkpointer.modes.includes('restart'));
  const many = database.read((db) => db.all({ id: number }, sql`select id from counters`), { work: 'unbounded' });
  for (let id = 1001; id <= 1005; id++) await database.write((db) => db.run(insert(id)));
  first.letGo();
  await writeUntil(database, 'the log has started over', () => connection.logPages() < pages / 2);
  assert.deepEqual(await first.counted, { before: 0, after: 0 });
  const seen = await many;
  assert.ok(
    [1001, 1002, 1003, 1004, 1005].every((id) => seen.some((row) => row.id === id)),
    'it reads what was written while it waited',
  );
  assert.equal(database.figures().checkpoints?.cutReads, 0);
});

test('a read that goes on for longer than it may ends in error 3966 once the log is past its limit, which then starts over', async () => {
  await using file = await openFile(undefined, undefined, { longestLog: 2 * pages * 4096, patience: 0 });
  const { database, connection } = file;
  const stalled = await heldRead(database);
  await much(database, 1, 2 * pages);
  await writeUntil(database, 'the log has started over', () => connection.logPages() < pages / 2);
  stalled.letGo();
  await assert.rejects(stalled.counted, { number: 3966 });
  await until('it is counted', () => database.figures().checkpoints?.cutReads === 1);
});

test('a long read that is cancelled between two statements keeps no snapshot', async () => {
  await using file = await openFile();
  const cancel = new AbortController();
  const reading = file.database.read(
    async (db) => {
      await db.first({ id: number }, sql`select id from counters`);
      cancel.abort(new Error('enough'));
      await db.first({ id: number }, sql`select id from counters`);
    },
    { work: 'unbounded', signal: cancel.signal },
  );
  await assert.rejects(reading, /enough/);
  await file.farReaders.use(async (process) => assert.ok(!process.isOpen));
});
