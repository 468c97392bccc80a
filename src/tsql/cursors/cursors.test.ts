import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryBudget } from '../../base/memory/memory-budget.ts';
import type { ApiCursor } from './api-cursor.ts';
import { Cursor } from './cursor.ts';
import { Cursors } from './cursors.ts';
import { Rowset } from './rowset.ts';

const many = 300;
/** The handle of the first cursor of the API. */
const firstHandle = 180_150_003;

/** The cursors of a session that has opened many, and how often somebody has asked one of them what it takes. */
function opened() {
  const looked = { times: 0, whileOpening: 0 };
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
  looked.whileOpening = looked.times;
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

test('many cursors are opened and closed one by one in a time that their number bounds', () => {
  const { cursors, budget, looked } = opened();
  assert.ok(looked.whileOpening <= 2 * many, `${looked.whileOpening} looks while ${many} cursors were opened`);
  for (let count = 0; count < many; count++) cursors.closeHandle(firstHandle + 2 * count);
  assert.ok(cursors.isEmpty);
  assert.equal(budget.used, 0);
  assert.ok(looked.times <= 2 * many, `${looked.times} looks while they were closed`);
});

test('a cursor counts with its rows while it is open, and without them when it is closed or a rollback closes it', () => {
  const budget = new MemoryBudget(1_000_000);
  const cursors = new Cursors(budget);
  const traits = { scroll: false, type: 'dynamic', isReadOnly: true, locks: false } as const;
  const cursor = new Cursor(traits, 100);
  cursors.declared(cursor);
  assert.equal(budget.used, 100);
  for (const end of [() => cursors.close(cursor), () => cursors.transactionEnded(true, false)]) {
    cursor.open(new Rowset([], [], 500), undefined);
    cursors.opened(cursor);
    assert.equal(budget.used, 600);
    end();
    assert.equal(budget.used, 100);
  }
  cursor.open(new Rowset([], [], 2_000_000), undefined);
  assert.throws(() => cursors.opened(cursor), { number: 701 });
  assert.equal(budget.used, 100);
  cursors.forget(cursor);
  assert.equal(budget.used, 0);
});
