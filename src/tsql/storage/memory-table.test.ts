import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atOnce, type Steps } from '../../base/threads/steps.ts';
import { int } from '../../tds/types/index.ts';
import { MemoryTable, type TableRow } from './memory-table.ts';
import type { KeyFacts } from './table-keys.ts';
import { UndoLog } from './undo-log.ts';

const count = 2000;

const keyOf = (kind: KeyFacts['kind']): KeyFacts => ({
  name: 'k',
  kind,
  columns: [0],
  ignoresDuplicates: false,
  isUnique: true,
  isClustered: kind === 'PRIMARY KEY',
  present: [],
});

/** A table of so many rows with a key, inside a transaction. */
function filled() {
  const undo = new UndoLog();
  undo.begin();
  const table = new MemoryTable({
    name: '#t',
    objectId: 1,
    columns: [{ name: 'a', type: int, nullable: false }],
    undo,
  });
  atOnce(table.addKey(keyOf('PRIMARY KEY')));
  for (let a = 0; a < count; a++) table.insert([a]);
  return { undo, table };
}

const valuesOf = (table: MemoryTable): unknown[] => table.values().map(([a]) => a);

/** How often work can be interrupted. */
function stepsOf(work: Steps<unknown>): number {
  let steps = 0;
  while (!work.next().done) steps++;
  return steps;
}

const shifted = (table: MemoryTable, by: number) =>
  table.rows().map((row): [TableRow, readonly unknown[]] => [row, [Number(row.values[0]) + by]]);

test('changes of many rows, and the way back, can be interrupted every few rows', () => {
  const few = count / 200;
  const { undo, table } = filled();
  undo.save('before');
  assert.ok(stepsOf(table.update(shifted(table, 1))) >= 3 * few, 'UPDATE');
  assert.deepEqual(valuesOf(table).slice(0, 2), [1, 2]);
  assert.ok(stepsOf(undo.rollback('before')) >= 2 * few, 'ROLLBACK of an UPDATE');
  assert.deepEqual(valuesOf(table).slice(0, 2), [0, 1]);
  assert.ok(stepsOf(table.addKey(keyOf('UNIQUE KEY'))) >= few, 'a key');
  assert.ok(stepsOf(table.delete(table.rows())) >= few, 'DELETE');
  assert.equal(table.rowCount, 0);
  assert.ok(stepsOf(undo.rollback('before')) >= few, 'ROLLBACK of a DELETE');
  assert.equal(table.rowCount, count);
  assert.ok(stepsOf(table.truncate()) >= few, 'TRUNCATE');
  assert.ok(stepsOf(undo.rollback()) >= 2 * few, 'ROLLBACK of everything');
  assert.equal(table.rowCount, 0);
});

test('an update that breaks a key leaves everything as it was, half-way too', () => {
  const { table } = filled();
  const changes = shifted(table, 1);
  changes[count - 1] = [changes[count - 1]?.[0] as TableRow, [5]];
  assert.throws(() => atOnce(table.update(changes)), { number: 2627 });
  assert.deepEqual(
    valuesOf(table),
    Array.from({ length: count }, (_, at) => at),
  );
  atOnce(table.update(shifted(table, 1)));
  assert.equal(valuesOf(table).at(-1), count);
});
