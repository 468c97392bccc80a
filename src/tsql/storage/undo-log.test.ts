import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atOnce } from '../../base/threads/steps.ts';
import { UndoLog } from './undo-log.ts';

test('a log takes over the changes of a statement, however many there are, and winds them back', () => {
  const [transaction, statement] = [new UndoLog(), new UndoLog()];
  for (const log of [transaction, statement]) log.begin();
  const changes = 300_000;
  let undone = 0;
  for (let change = 0; change < changes; change++) statement.record(() => void undone++);
  transaction.adopt(statement);
  atOnce(transaction.rollback());
  assert.equal(undone, changes);
});
