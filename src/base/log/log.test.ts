import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonLog } from './log.ts';

test('a line is one JSON object without anything that a terminal obeys or shows in another order, whatever is logged', () => {
  const lines: string[] = [];
  const log = jsonLog((line) => lines.push(line));
  const units = Array.from({ length: 0x2100 }, (_, unit) => String.fromCharCode(unit)).join('');
  const login = `${units}\r\n{"level":"error"}"\\`;
  log.with({ login }).info(login, { program: login });
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /^[^\p{Cc}\p{Bidi_Control}\u2028\u2029]+\n$/u);
  const { message, program, login: name } = JSON.parse(lines[0] ?? '');
  assert.deepEqual([message, program, name], [login, login, login]);
});
