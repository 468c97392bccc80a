import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moments, steps } from '../../src/console/page/parts/ticks.ts';
import { counted } from '../../src/console/page/parts/words.ts';

test('one of something is told in the singular', () => {
  assert.deepEqual(
    [0, 1, 2, 1500].map((count) => counted(count, 'more call')),
    ['0 more calls', '1 more call', '2 more calls', '1,500 more calls'],
  );
});

test('no two ticks of an axis have the same text, however close they are', () => {
  for (const step of steps) {
    const texts = moments([0, 1, 2, 3, 4].map((tick) => 1_800_000_000 + tick * step));
    assert.equal(new Set(texts).size, 5, `steps of ${step} s`);
  }
});
