import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Gathering } from './gathering.ts';
import { OtherWriters } from './other-writers.ts';

const settled = () => new Promise(setImmediate);

/** Records when a wait has ended. */
function waited(gathering: Gathering, waiting: number): { readonly isOver: boolean } {
  const wait = { isOver: false };
  void gathering.wait(waiting).then(() => {
    wait.isOver = true;
  });
  return wait;
}

test('returning callers are waited for until all have come, or for two milliseconds', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const gathering = new Gathering();
    gathering.expect(16);
    const first = waited(gathering, 2);
    gathering.came(15);
    await settled();
    assert.equal(first.isOver, false);
    gathering.came(16);
    await settled();
    assert.equal(first.isOver, true);
    const second = waited(gathering, 2);
    await settled();
    assert.equal(second.isOver, false);
    mock.timers.tick(1);
    await settled();
    assert.equal(second.isOver, false);
    mock.timers.tick(1);
    await settled();
    assert.equal(second.isOver, true);
  } finally {
    mock.timers.reset();
  }
});

test('nobody waits if no others are expected: neither a lone caller nor the first', async () => {
  const gathering = new Gathering();
  const first = waited(gathering, 1);
  gathering.expect(1);
  const lone = waited(gathering, 1);
  await Promise.resolve();
  await Promise.resolve();
  assert.deepEqual([first.isOver, lone.isOver], [true, true]);
});

test('others are writing as long as our transaction numbers have gaps, and for a while after', () => {
  const otherWriters = new OtherWriters();
  const areActive = (transaction: bigint) => {
    otherWriters.note(transaction);
    return otherWriters.areActive;
  };
  assert.deepEqual([7n, 8n, 9n].map(areActive), [false, false, false]);
  assert.equal(areActive(11n), true);
  const after = Array.from({ length: 20 }, (_, at) => areActive(12n + BigInt(at)));
  assert.deepEqual(after.lastIndexOf(true), 14);
});
