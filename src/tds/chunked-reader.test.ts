import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bytesOf, throwsNumber } from '../../test/support/tds.ts';
import type { ByteReader } from './byte-reader.ts';
import { ChunkedReader } from './chunked-reader.ts';

const word = (bytes: ByteReader): string => bytes.usVarchar();

test('things are read whole however the bytes are cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ minLength: 1, maxLength: 30 }), { maxLength: 20 }),
      fc.integer({ min: 1, max: 50 }),
      (words, size) => {
        const bytes = bytesOf((out) => {
          for (const text of words) out.usVarchar(text);
        });
        const reader = new ChunkedReader();
        const read: string[] = [];
        for (let at = 0; at < bytes.length; at += size) {
          reader.push(bytes.subarray(at, at + size));
          for (let text = reader.read(word); text !== undefined; text = reader.read(word)) read.push(text);
        }
        reader.end();
        for (let text = reader.read(word); text !== undefined; text = reader.read(word)) read.push(text);
        assert.deepEqual(read, words);
      },
    ),
  );
});

test('a large thing in small chunks is tried a few times, not once a chunk', () => {
  const reader = new ChunkedReader();
  let tries = 0;
  const large = (bytes: ByteReader): Buffer => {
    tries++;
    return bytes.bytes(4_000_000);
  };
  for (let at = 0; at < 4_000_000; at += 4000) {
    reader.push(Buffer.alloc(4000));
    if (at < 3_996_000) assert.equal(reader.read(large), undefined);
  }
  reader.end();
  assert.equal(reader.read(large)?.length, 4_000_000);
  assert.ok(tries < 40, `${tries} tries`);
});

test('what is incomplete at the end is error 4002', () => {
  const reader = new ChunkedReader();
  reader.push(Buffer.of(5, 0, 1));
  assert.equal(reader.read(word), undefined);
  reader.end();
  throwsNumber(4002, () => reader.read(word));
});
