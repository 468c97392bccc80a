import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database, Db } from '../../../src/engine/db.ts';
import { sql } from '../../../src/engine/sql.ts';
import {
  type CheckpointAnswer,
  Checkpointer,
  type CheckpointRequest,
} from '../../../src/engine/sqlite/checkpointer.ts';
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
  await using file = await openFile(undefined, undefined, { checkpointer, longestLog: pages * 4096 });
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
  await using file = await openFile(undefined, undefined, { checkpointer, longestLog: pages * 4096 });
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
