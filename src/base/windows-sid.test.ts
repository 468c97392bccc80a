import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asSid, sidBytes, sidOfBytes } from './windows-sid.ts';

const admins = 'S-1-5-21-1004336348-1177238915-682003330-512';

test('a security identifier reads as text and as bytes (MS-DTYP 2.4.2)', () => {
  const bytes = Buffer.from('010500000000000515000000dcf4dc3b833d2b46828ba62800020000', 'hex');
  assert.deepEqual(Buffer.from(sidBytes(admins)), bytes);
  assert.equal(sidOfBytes(bytes), admins);
  assert.equal(asSid(` ${admins.toLowerCase()} `), admins);
});

test('what is no security identifier is told as such', () => {
  for (const text of ['', 'S-1', 'S-1-5', 'S-2-5-32', 'S-1-5-4294967296', 'CORP\\alice', `S-1-5${'-1'.repeat(16)}`]) {
    assert.equal(asSid(text), undefined, text);
  }
  for (const hex of ['', '01', '0101000000000005', '0201000000000005200000', '01100000000000051500000001']) {
    assert.equal(sidOfBytes(Buffer.from(hex, 'hex')), undefined, hex);
  }
});
