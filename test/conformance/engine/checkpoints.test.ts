import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '../../../src/engine/db.ts';
import { sql } from '../../../src/engine/sql.ts';
import {
  type CheckpointAnswer,
  Checkpointer,
  type CheckpointRequest,
} from '../../../src/engine/sqlite/checkpointer.ts';
import { until } from '../../robustness/support/until.ts';
import { number } from './fixture.ts';
import { insert, openFile } from './sqlite-file.ts';

/** Checkpoints whose first is held back until it is let go. */
class HeldCheckpointer extends Checkpointer {
  readonly modes: CheckpointRequest['mode'][] = [];
  readonly #held = Promise.withResolvers<void>();

  letGo(): void {
    this.#held.resolve();
  }

  override async run(path: string, mode: CheckpointRequest['mode']): Promise<CheckpointAnswer> {
    this.modes.push(mode);
    if (this.modes.length === 1) await this.#held.promise;
    return super.run(path, mode);
  }
}

test('while a long log is copied, calls that write little go on, and those that write much wait until it starts over', async () => {
  const checkpointer = new HeldCheckpointer();
  const pages = 1000;
  await using file = await openFile(undefined, undefined, { checkpointer, longestLog: pages * 4096 });
  const { database, connection } = file;
  const muchWork = {};
  const much = (first: number, count: number) =>
    database.write(
      async (db: Db) => {
        // So long that it counts as much, whatever the machine does.
        await delay(100);
        for (let id = first; id < first + count; id++)
          await db.run(sql`insert into things (id, name) values (${id}, ${'x'.repeat(3500)})`);
      },
      { like: muchWork },
    );
  await much(1, 2 * pages);
  await until('the log is being copied', () => checkpointer.modes.length === 1);
  assert.ok(connection.logPages() > pages);
  const order: string[] = [];
  const waiting = much(10_000, 1).then(() => order.push('much'));
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
