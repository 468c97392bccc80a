import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLoopback } from './loopback.ts';

test('only addresses of this machine itself are loopback', () => {
  for (const address of ['127.0.0.1', '127.0.0.2', '127.255.255.254', '::1', '::ffff:127.0.0.1', '::FFFF:127.1.2.3']) {
    assert.equal(isLoopback(address), true, address);
  }
  for (const address of [
    '',
    '10.0.0.1',
    '192.168.127.1',
    '1.127.0.0',
    '::',
    '::2',
    'fe80::1',
    '::ffff:10.127.0.1',
    '::1%x',
  ]) {
    assert.equal(isLoopback(address), false, address);
  }
});
