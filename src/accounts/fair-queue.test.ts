import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairQueue } from './fair-queue.ts';

const comer = { name: 'sa', address: '10.0.0.1' };

test('as many tasks run at once as allowed, in order of arrival', async () => {
  const queue = new FairQueue(2);
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const begun: number[] = [];
  const all = gates.map(({ promise }, index) =>
    queue.run(comer, () => {
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

test('turns alternate between addresses, and at an address between names', async () => {
  const queue = new FairQueue(1);
  const order: string[] = [];
  const come = (name: string, address: string) =>
    queue.run({ name, address }, async () => {
      order.push(`${name} at ${address}`);
    });
  const all = [
    come('first', 'x'),
    ...Array.from({ length: 3 }, () => come('sa', 'x')),
    come('low', 'x'),
    come('low', 'x'),
    come('sa', 'y'),
  ];
  await Promise.all(all);
  assert.deepEqual(order, ['first at x', 'sa at x', 'sa at y', 'low at x', 'sa at x', 'low at x', 'sa at x']);
});

test('in a long queue the last to come is served first, among tasks of a name and among names', async () => {
  for (const nameOf of [() => 'sa', (guess: number) => `nobody ${guess}`]) {
    const queue = new FairQueue(1);
    const order: number[] = [];
    const come = (index: number) =>
      queue.run({ name: nameOf(index), address: 'x' }, async () => void order.push(index));
    await Promise.all(Array.from({ length: 13 }, (_, index) => come(index)));
    assert.deepEqual(order, [0, 12, 11, 10, 9, 1, 2, 3, 4, 5, 6, 7, 8]);
  }
});

test('a failed task frees its place', async () => {
  const queue = new FairQueue(1);
  const first = queue.run(comer, () => Promise.reject(new Error('failed')));
  const second = queue.run(comer, async () => 2);
  await assert.rejects(first, /failed/);
  assert.equal(await second, 2);
});
