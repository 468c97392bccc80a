import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryBudget } from '../../base/memory-budget.ts';
import type { ApiCursor } from './api-cursor.ts';
import { Cursors } from './cursors.ts';

const many = 300;

/** The cursors of a session that has opened many, and how often somebody has asked one of them what it takes. */
function opened() {
  const looked = { times: 0 };
  // The list asks nothing else of a cursor.
  const cursor = () =>
    ({
      traits: { type: 'dynamic' },
      get bytes() {
        looked.times++;
        return 100;
      },
      close() {},
    }) as unknown as ApiCursor;
  const budget = new MemoryBudget(1_000_000);
  const cursors = new Cursors(budget);
  for (let count = 0; count < many; count++) cursors.add(cursor());
  assert.equal(budget.used, many * 100);
  looked.times = 0;
  return { cursors, budget, looked };
}

const endings: Readonly<Record<string, (cursors: Cursors) => void>> = {
  'a rollback': (cursors) => cursors.transactionEnded(true, false),
  'a commit under CURSOR_CLOSE_ON_COMMIT': (cursors) => cursors.transactionEnded(false, true),
  'sp_cursorclose of all of them': (cursors) => cursors.closeHandles(),
};
for (const [what, end] of Object.entries(endings)) {
  test(`${what} closes many cursors in a time that their number bounds, and gives their memory back`, () => {
    const { cursors, budget, looked } = opened();
    end(cursors);
    assert.ok(cursors.isEmpty);
    assert.equal(budget.used, 0);
    assert.ok(looked.times <= many, `${looked.times} looks at ${many} cursors`);
  });
}
