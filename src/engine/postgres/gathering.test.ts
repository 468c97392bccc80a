import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Company } from './company.ts';
import { Gathering } from './gathering.ts';

const settled = () => new Promise(setImmediate);

/** Notes when a wait is over. */
function waited(gathering: Gathering, waiting: number): { readonly isOver: boolean } {
  const wait = { isOver: false };
  void gathering.wait(waiting).then(() => {
    wait.isOver = true;
  });
  return wait;
}

test('those who call again are waited for until nearly all are there, or for a millisecond', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const gathering = new Gathering();
    gathering.expect(16);
    const first = waited(gathering, 2);
    gathering.came(13);
    await settled();
    assert.equal(first.isOver, false);
    gathering.came(14);
    await settled();
    assert.equal(first.isOver, true);
    const second = waited(gathering, 2);
    await settled();
    assert.equal(second.isOver, false);
    mock.timers.tick(1);
    await settled();
    assert.equal(second.isOver, true);
  } finally {
    mock.timers.reset();
  }
});

test('nobody waits for others who are not expected: not a lone caller, nor the first', async () => {
  const gathering = new Gathering();
  const first = waited(gathering, 1);
  gathering.expect(1);
  const lone = waited(gathering, 1);
  await Promise.resolve();
  await Promise.resolve();
  assert.deepEqual([first.isOver, lone.isOver], [true, true]);
});

test('others write as long as numbers of transactions are missing between ours, and a while after', () => {
  const company = new Company();
  const isThere = (transaction: bigint) => {
    company.note(transaction);
    return company.isThere;
  };
  assert.deepEqual([7n, 8n, 9n].map(isThere), [false, false, false]);
  assert.equal(isThere(11n), true);
  const after = Array.from({ length: 20 }, (_, at) => isThere(12n + BigInt(at)));
  assert.deepEqual(after.lastIndexOf(true), 14);
});
