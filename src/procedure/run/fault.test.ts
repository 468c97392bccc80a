import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonLog } from '../../base/log/log.ts';
import { toSqlError } from './fault.ts';

const thrownBy = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

test('a fault is logged with the place where it happened, and without the text that could not be read', () => {
  for (const fault of [() => BigInt('secret\n    seed'), () => JSON.parse('secret seed')]) {
    let line = '';
    const log = jsonLog((written) => {
      line += written;
    });
    assert.equal(toSqlError(thrownBy(fault), log).number, 50000);
    assert.match(line, /fault\.test\.ts/);
    assert.doesNotMatch(line, /secret|seed/);
  }
});
