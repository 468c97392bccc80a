import assert from 'node:assert/strict';
import { test } from 'node:test';
import { release } from './release.ts';

test('the memory of a large buffer is given back at once', () => {
  const before = process.memoryUsage().arrayBuffers;
  const large = Buffer.allocUnsafeSlow(64 * 1024 ** 2);
  assert.ok(process.memoryUsage().arrayBuffers - before >= large.length);
  release(large);
  assert.equal(large.length, 0);
  assert.ok(process.memoryUsage().arrayBuffers - before < 1024 ** 2);
});

test('a part of a buffer is left alone, for others may have the rest', () => {
  const whole = Buffer.allocUnsafeSlow(256 * 1024).fill(7);
  release(whole.subarray(1));
  release(Buffer.from('small, and in a pool with others'));
  assert.deepEqual([whole.length, whole[200_000]], [256 * 1024, 7]);
});
