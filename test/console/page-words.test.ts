import assert from 'node:assert/strict';
import { test } from 'node:test';
import { latest } from '../../src/console/page/overview/latest.ts';
import { moments, steps } from '../../src/console/page/parts/ticks.ts';
import { counted } from '../../src/console/page/parts/words.ts';

test('one of something is told in the singular', () => {
  assert.deepEqual(
    [0, 1, 2, 1500].map((count) => counted(count, 'more call')),
    ['0 more calls', '1 more call', '2 more calls', '1,500 more calls'],
  );
});

test('where no call came in the last seconds there is no latency, and not one of nothing', () => {
  const before = { at: ['', ''], calls: [3, 0], median: [4, 0], slowest: [5, 0], errors: [0, 0] };
  const figures = { ...before, sessions: [1, 0], queue: [0, 0], waiting: [0, 0], bytes: [1, 1] };
  const said = (shown: typeof figures) =>
    (['calls', 'median', 'slowest', 'sessions'] as const).map((figure) => latest(shown, figure, (value) => `${value}`));
  assert.deepEqual(said(figures), ['0', '–', '–', '0']);
  assert.deepEqual(said({ ...figures, calls: [3, 0.1] }), ['0.1', '0', '0', '0']);
});

test('no two ticks of an axis have the same text, however close they are', () => {
  for (const step of steps) {
    const texts = moments([0, 1, 2, 3, 4].map((tick) => 1_800_000_000 + tick * step));
    assert.equal(new Set(texts).size, 5, `steps of ${step} s`);
  }
});
