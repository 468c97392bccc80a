import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Handshakes } from './handshakes.ts';

test('of a flood of handshakes one step is made in a round of the event loop, the addresses in turn', async () => {
  const handshakes = new Handshakes();
  const steps: { readonly address: string; readonly round: number }[] = [];
  let round = 0;
  const count = (): void => {
    round++;
    if (steps.length < 6) setImmediate(count);
  };
  setImmediate(count);
  const all = ['a', 'a', 'a', 'a', 'b', 'c'].map(
    (address) =>
      new Promise<void>((resolve) => {
        handshakes.step(address, () => {
          steps.push({ address, round });
          resolve();
        });
      }),
  );
  assert.equal(steps.length, 1, 'the first is made at once');
  await Promise.all(all);
  assert.deepEqual(
    steps.map(({ address }) => address),
    ['a', 'a', 'b', 'c', 'a', 'a'],
  );
  assert.equal(new Set(steps.map((step) => step.round)).size, 6, JSON.stringify(steps));
});

test('a step that took a while is followed by as long a rest', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const handshakes = new Handshakes();
  let made = 0;
  handshakes.step('a', () => {
    made++;
    const end = performance.now() + 3;
    while (performance.now() < end);
  });
  handshakes.step('a', () => void made++);
  for (let round = 0; round < 20; round++) await new Promise(setImmediate);
  assert.equal(made, 1);
  t.mock.timers.tick(60_000);
  assert.equal(made, 2);
});
