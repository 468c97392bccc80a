import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf, hex } from '../../../test/support/tds.ts';
import { MessageWriter } from '../packet/index.ts';
import * as t from '../types/index.ts';
import { dialectOf, modern, tdsVersions } from '../version.ts';
import { resultWriter, TokenParser, writeColMetadata } from './index.ts';

const old = dialectOf(tdsVersions['7.1']);

const fixedForms: readonly [t.AnyType, unknown, string, string][] = [
  [t.tinyint, 200, '30', 'c8'],
  [t.bit, true, '32', '01'],
  [t.smallint, -2, '34', 'feff'],
  [t.int, 7, '38', '07000000'],
  [t.smalldatetime, new Date('1900-01-02T00:01:00Z'), '3a', '01000100'],
  [t.real, 1, '3b', '0000803f'],
  [t.money, { unscaled: 1n, scale: 4 }, '3c', '0000000001000000'],
  [t.datetime, new Date('1900-01-02T00:00:01Z'), '3d', '010000002c010000'],
  [t.float, 1, '3e', '000000000000f03f'],
  [t.smallmoney, { unscaled: 2n, scale: 4 }, '7a', '02000000'],
  [t.bigint, -1n, '7f', 'ffffffffffffffff'],
];

for (const [type, value, typeByte, bytes] of fixedForms) {
  test(`MS-TDS 2.2.5.4.1: a ${type.declaration} column that is never NULL has the type 0x${typeByte} and no lengths`, () => {
    const columns = [{ name: 'a', type, nullable: false }];
    for (const dialect of [modern, old]) {
      const told = bytesOf((out) => writeColMetadata(out, columns, dialect));
      assert.deepEqual(told.subarray(dialect.atLeast72 ? 9 : 7), hex(`${typeByte} 01 6100`));
      assert.deepEqual(
        bytesOf((out) => resultWriter(columns, dialect).writeRow(out, [value])),
        hex(`d1 ${bytes}`),
      );
      const tokens = new TokenParser(dialect);
      tokens.push(Buffer.concat([told, hex(`d1 ${bytes}`)]));
      tokens.end();
      const [read] = [tokens.next()];
      assert.equal(read?.token === 'columns' && read.columns[0]?.nullable, false);
      assert.deepEqual(tokens.next(), { token: 'row', values: [value] });
    }
  });
}

test('a NULL for a column that is never NULL is refused and leaves nothing behind, alone and among NULLs', () => {
  const nulls = Array.from({ length: 20 }, (_, at) => ({ name: `n${at}`, type: t.int, nullable: true }));
  for (const columns of [[], nulls]) {
    const { out } = new MessageWriter(4096);
    out.take();
    const writer = resultWriter([...columns, { name: 'a', type: t.int, nullable: false }], modern);
    assert.throws(() => writer.writeRow(out, [...columns.map(() => null), null]), /never NULL/);
    assert.equal(out.length, 0);
    writer.writeRow(out, [...columns.map(() => null), 5]);
    assert.deepEqual(out.take().subarray(-4), hex('05000000'));
  }
});
