import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileTime } from './file-time.ts';

test('a time is counted from 1601, and one that a FILETIME cannot hold is none', () => {
  assert.equal(fileTime(0), 116_444_736_000_000_000n);
  assert.equal(fileTime(Date.parse('1601-01-01T00:00:00Z')), 0n);
  assert.equal(fileTime(1.5), 116_444_736_000_010_000n);
  for (const none of [undefined, Date.parse('1500-01-01T00:00:00Z'), Date.parse('+099999-01-01T00:00:00Z')]) {
    assert.equal(fileTime(none), 0n);
  }
});
