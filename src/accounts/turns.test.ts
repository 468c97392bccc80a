import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Turns } from './turns.ts';

const comer = { name: 'sa', address: '10.0.0.1' };

test('so many run at once and no more, in the order that they came', async () => {
  const turns = new Turns(2);
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const begun: number[] = [];
  const all = gates.map(({ promise }, index) =>
    turns.run(comer, () => {
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

test('turns go round among addresses, and at an address among names', async () => {
  const turns = new Turns(1);
  const order: string[] = [];
  const come = (name: string, address: string) =>
    turns.run({ name, address }, async () => {
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

test('where a crowd waits the last to come is first, of those under one name and of names', async () => {
  for (const nameOf of [() => 'sa', (guess: number) => `nobody ${guess}`]) {
    const turns = new Turns(1);
    const order: number[] = [];
    const come = (index: number) =>
      turns.run({ name: nameOf(index), address: 'x' }, async () => void order.push(index));
    await Promise.all(Array.from({ length: 13 }, (_, index) => come(index)));
    assert.deepEqual(order, [0, 12, 11, 10, 9, 1, 2, 3, 4, 5, 6, 7, 8]);
  }
});

test('a failure gives its place back', async () => {
  const turns = new Turns(1);
  const first = turns.run(comer, () => Promise.reject(new Error('failed')));
  const second = turns.run(comer, async () => 2);
  await assert.rejects(first, /failed/);
  assert.equal(await second, 2);
});
