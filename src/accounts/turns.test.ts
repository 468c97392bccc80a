import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Turns } from './turns.ts';

test('so many run at once and no more, in the order that they came', async () => {
  const turns = new Turns(2);
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const begun: number[] = [];
  const all = gates.map(({ promise }, index) =>
    turns.run(() => {
      begun.push(index);
      return promise;
    }),
  );
  for (const [index, { resolve }] of gates.entries()) {
    assert.deepEqual(begun, [0, 1, 2, 3, 4].slice(0, index + 2));
    resolve();
    await all[index];
  }
});

test('a failure gives its place back', async () => {
  const turns = new Turns(1);
  const first = turns.run(() => Promise.reject(new Error('failed')));
  const second = turns.run(async () => 2);
  await assert.rejects(first, /failed/);
  assert.equal(await second, 2);
});
