import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sql } from '../../../src/engine/sql.ts';
import { type EngineName, forEachEngine, newStore } from '../../support/engines.ts';
import { number, shop } from './fixture.ts';

const child = fileURLToPath(new URL('./durability-child.ts', import.meta.url));

/** The ids that a child had acknowledged when it was killed with no warning. */
async function killedAfter(process: ChildProcess, count: number): Promise<number[]> {
  assert.ok(process.stdout !== null);
  const acknowledged: number[] = [];
  for await (const line of createInterface({ input: process.stdout })) {
    acknowledged.push(Number(line));
    if (acknowledged.length === count) process.kill('SIGKILL');
  }
  if (process.exitCode === null && process.signalCode === null) await once(process, 'exit');
  return acknowledged;
}

forEachEngine((engine: EngineName) => {
  test('after kill -9 every acknowledged call is there, and no half of any', async () => {
    await using store = await newStore(engine);
    const process_ = spawn(process.execPath, [child, engine, ...store.place], { stdio: ['ignore', 'pipe', 'inherit'] });
    const acknowledged = await killedAfter(process_, 1000);
    assert.ok(acknowledged.length >= 1000, `only ${acknowledged.length} calls were acknowledged`);

    await using granary = store.connect({ schemas: [shop] });
    await granary.start();
    const database = await granary.open('Hard');
    assert.ok(database !== undefined);
    const rows = await database.read((db) => db.all({ number }, sql`select number from log`));
    const kept = new Set(rows.map((row) => row.number));
    assert.deepEqual(
      acknowledged.filter((id) => !kept.has(id)),
      [],
      'acknowledged, but lost',
    );
    for (const id of kept) assert.ok(kept.has(-id), `half of call ${Math.abs(id)} was kept`);
    for (const id of kept) assert.notEqual(id % 5, 0, `call ${id} failed and was kept`);
  });
});
