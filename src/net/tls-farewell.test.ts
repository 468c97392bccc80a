import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TlsFarewell } from './tls-farewell.ts';

const closeNotify = Buffer.from('15030300021234', 'hex');
const packet = Buffer.from('0101000801020304', 'hex');

test('what follows the end of TLS is taken as it is, with or without a last record, in pieces of any size', () => {
  for (const bytes of [packet, Buffer.concat([closeNotify, packet])]) {
    for (let size = 1; size <= bytes.length; size++) {
      const farewell = new TlsFarewell();
      const behind: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size) behind.push(farewell.behind(bytes.subarray(at, at + size)));
      assert.deepEqual(Buffer.concat(behind), packet);
    }
  }
});

test('a record of TLS behind the first packet is no farewell', () => {
  const farewell = new TlsFarewell();
  farewell.behind(packet);
  assert.deepEqual(farewell.behind(closeNotify), closeNotify);
});
