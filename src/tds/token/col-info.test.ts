import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf } from '../../../test/support/tds.ts';
import { ByteReader } from '../byte-reader.ts';
import { readColInfo, writeColInfo } from './col-info.ts';

test('MS-TDS 2.2.7.3: COLINFO leaves out the names that its length cannot tell of', () => {
  const columns = Array.from({ length: 600 }, (_, at) => ({
    column: at + 1,
    table: 1,
    status: 0,
    name: 'n'.repeat(100),
  }));
  const bytes = new ByteReader(bytesOf((out) => writeColInfo(out, columns)).subarray(1));
  const read = readColInfo(bytes);
  const named = read.filter(({ name }) => name !== undefined);
  assert.deepEqual([read.length, named.length], [600, Math.floor((0xffff - 600 * 3) / 201)]);
});
