import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LimitedLines } from './limited-lines.ts';
import { jsonLog } from './log.ts';

test('past a number of lines in a while only the count of the rest is logged', () => {
  const lines: Record<string, unknown>[] = [];
  let now = 0;
  const limited = new LimitedLines(
    jsonLog((line) => lines.push(JSON.parse(line))),
    () => now,
  );
  for (let line = 0; line < 1000; line++) limited.warn('login refused', { number: 18456 });
  assert.equal(lines.length, 50);
  now += 10_000;
  limited.warn('login refused', { number: 18456 });
  assert.deepEqual(
    lines.slice(50).map(({ message, count }) => [message, count]),
    [
      ['refusals were left out of the log', 950],
      ['login refused', undefined],
    ],
  );
});
