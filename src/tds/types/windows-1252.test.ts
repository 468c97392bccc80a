import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeWindows1252, encodeWindows1252 } from './windows-1252.ts';

test('every byte of code page 1252 comes back', () => {
  const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  const text = decodeWindows1252(all);
  assert.equal(text.length, 256);
  assert.deepEqual(encodeWindows1252(text), all);
  assert.equal(decodeWindows1252(Buffer.of(0x80, 0x92, 0x9f, 0xe4)), '\u20ac\u2019\u0178\u00e4');
});

test('a character that code page 1252 lacks becomes a question mark', () => {
  assert.equal(encodeWindows1252('a\u4e2d\u{1F33E}').toString('latin1'), 'a???');
});
