import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitedLog } from './limited-log.ts';
import { jsonLog } from './log.ts';

test('past a number of lines of one message in a while only their count is logged; others, and debug lines, are not touched', () => {
  const lines: Record<string, unknown>[] = [];
  let now = 0;
  using limited = limitedLog(
    jsonLog((line) => lines.push(JSON.parse(line)), 'debug'),
    () => now,
  );
  const { log } = limited;
  for (let line = 0; line < 1000; line++) log.with({ session: line }).warn('login refused', { number: 18456 });
  for (let line = 0; line < 100; line++) log.debug('call');
  log.error('a checkpoint failed');
  assert.equal(lines.length, 50 + 100 + 1);
  assert.equal(lines[49]?.['session'], 49);
  assert.equal(log.leftOut, 950);
  now += 10_000;
  log.warn('login refused', { number: 18456 });
  assert.deepEqual(
    lines.slice(151).map(({ message, repeated, count }) => [message, repeated, count]),
    [
      ['lines were left out of the log', 'login refused', 950],
      ['login refused', undefined, undefined],
    ],
  );
});

test('a warning of which every field is the same is one line a minute, and what was left out is told then and at the end', () => {
  const lines: string[] = [];
  let now = 0;
  {
    using limited = limitedLog(
      jsonLog((line) => lines.push(line)),
      () => now,
    );
    const fail = (database: string, number: number) => limited.log.with({ database }).warn('a call failed', { number });
    for (let call = 0; call < 60_000; call++, now++) fail('Jobs', 9002);
    fail('Jobs', 9002);
    fail('Jobs', 823);
    fail('Crawls', 9002);
    fail('Crawls', 9002);
  }
  assert.deepEqual(
    lines
      .map((line) => JSON.parse(line))
      .map(({ repeated, database, number, count }) => [repeated, database, number, count]),
    [
      [undefined, 'Jobs', 9002, undefined],
      ['a call failed', 'Jobs', 9002, 59_999],
      [undefined, 'Jobs', 9002, undefined],
      [undefined, 'Jobs', 823, undefined],
      [undefined, 'Crawls', 9002, undefined],
      ['a call failed', 'Crawls', 9002, 1],
    ],
  );
});

test('ever other lines of one message do not take the limit from another', () => {
  const written: string[] = [];
  using limited = limitedLog(jsonLog((line) => written.push(line)));
  for (let line = 0; line < 2000; line++) limited.log.warn('login refused', { login: `l${line}` });
  for (let line = 0; line < 2000; line++) limited.log.warn('a call failed', { line });
  assert.equal(written.length, 100);
});
