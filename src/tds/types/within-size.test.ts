import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bytesOf, dialects, hex } from '../../../test/support/tds.ts';
import { modern } from '../version.ts';
import * as t from './index.ts';

const told = (type: t.AnyType): Buffer => bytesOf((out) => type.writeInfo(out, modern));
const sent = (type: t.AnyType, value: unknown): Buffer => bytesOf((out) => type.write(out, value, modern));

describe('SET TEXTSIZE: a type within so many bytes', () => {
  test('MS-TDS 2.2.5.4.3: text, ntext and image tell the size as their greatest length', () => {
    assert.deepEqual(told(t.withinSize(t.text, 4096)), hex('23 00100000 0904100000'));
    assert.deepEqual(told(t.withinSize(t.ntext, 4096)), hex('63 00100000 0904100000'));
    assert.deepEqual(told(t.withinSize(t.image, 4096)), hex('22 00100000'));
  });

  test('two bytes are a character of ntext, so an odd size is one byte less', () => {
    const type = t.withinSize(t.ntext, 5);
    assert.deepEqual(told(type).subarray(0, 5), hex('63 04000000'));
    assert.deepEqual(sent(type, 'abc'), sent(t.ntext, 'ab'));
  });

  test('max types are cut, and tell a length only where they travel as text', () => {
    const type = t.withinSize(t.varchar('max'), 3);
    assert.deepEqual(sent(type, 'abcdef'), sent(t.varchar('max'), 'abc'));
    assert.deepEqual(
      sent(t.withinSize(t.varbinary('max'), 2), Buffer.from('abc')),
      sent(t.varbinary('max'), Buffer.from('ab')),
    );
    for (const [name, dialect] of dialects) {
      const info = bytesOf((out) => type.writeInfo(out, dialect));
      const expected = dialect.atLeast72 ? hex('a7 ffff') : hex('23 03000000');
      assert.deepEqual(info.subarray(0, expected.length), expected, name);
    }
  });

  test('NULL, shorter values, xml and ordinary types are as they were', () => {
    const type = t.withinSize(t.text, 10);
    assert.deepEqual(sent(type, null), sent(t.text, null));
    assert.deepEqual(sent(type, 'short'), sent(t.text, 'short'));
    for (const other of [t.xml, t.varchar(20), t.int]) assert.equal(t.withinSize(other, 10), other);
  });

  test('-1 and the greatest size limit nothing', () => {
    for (const size of [-1, 2_147_483_647]) assert.equal(t.withinSize(t.text, size), t.text);
  });

  test('a value in pieces is read no further than it is sent', async () => {
    let read = 0;
    const endless = {
      length: 1_000_000,
      async *chunks() {
        for (;;) {
          read++;
          yield Buffer.from('abcd');
        }
      },
    };
    const type = t.withinSize(t.imageStream, 10);
    const stream = type.pieces?.(endless);
    assert.equal(stream?.length, 10);
    const got: Uint8Array[] = [];
    for await (const chunk of stream.chunks()) got.push(chunk);
    assert.deepEqual(Buffer.concat(got), Buffer.from('abcdabcdab'));
    assert.equal(read, 3);
    assert.deepEqual(sent(type, endless).subarray(-4), hex('0a000000'));
  });
});
