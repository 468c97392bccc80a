import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf, hex, throwsNumber, withstandsAnything } from '../../../test/support/tds.ts';
import { ByteReader } from '../byte-reader.ts';
import { dialectOf, modern, tdsVersions } from '../version.ts';
import * as t from './index.ts';

const held: readonly [t.AnyType, unknown][] = [
  [t.bigint, -5n],
  [t.int, 7],
  [t.smallint, -7],
  [t.tinyint, 200],
  [t.bit, true],
  [t.float, -0],
  [t.real, 0.5],
  [t.decimal(20, 3), { unscaled: -12345n, scale: 3 }],
  [t.numeric(5, 5), { unscaled: 1n, scale: 5 }],
  [t.money, { unscaled: -1n, scale: 4 }],
  [t.smallmoney, { unscaled: 99n, scale: 4 }],
  [t.datetime, new Date('2024-01-01T10:30:00.003Z')],
  [t.smalldatetime, new Date('2024-01-01T10:30:00Z')],
  [t.date, new Date('2024-01-01T00:00:00Z')],
  [t.time(4), { day: 0, ticks: 1000 }],
  [t.datetime2(7), { day: 9, ticks: 9 }],
  [t.datetimeoffset(2), { day: 9, ticks: 100_000, offset: 60 }],
  [t.uniqueidentifier, '00112233-4455-6677-8899-aabbccddeeff'],
  [t.nvarchar(20), 'a:b(c) ü'],
  [t.nchar(2), 'ab'],
  [t.varchar(3), ''],
  [t.char(2), '€ '],
  [t.varbinary(8), Buffer.of(0, 255)],
  [t.binary(2), Buffer.of(1, 2)],
];

for (const [type, value] of held) {
  test(`MS-TDS 2.2.5.5.4: a sql_variant keeps ${type.declaration} on the wire and in the database`, () => {
    const variant = { type, value };
    const read = new ByteReader(bytesOf((out) => t.sqlVariant.write(out, t.sqlVariant.check(variant), modern)));
    const wired = t.sqlVariant.read(read, modern);
    assert.equal(wired?.type.declaration, type.declaration);
    assert.deepEqual(wired?.value, value);
    assert.equal(read.remaining, 0);
    const kept = t.sqlVariant.toStore(variant);
    assert.equal(typeof kept, 'string');
    const back = t.sqlVariant.fromStore(String(kept));
    assert.equal(back.type.declaration, type.declaration);
    assert.deepEqual(back.value, value);
  });
}

test('MS-TDS 2.2.5.5.4: known bytes of an int and of text', () => {
  const bytes = (type: t.AnyType, value: unknown): Buffer =>
    bytesOf((out) => t.sqlVariant.write(out, { type, value }, modern));
  assert.deepEqual(bytes(t.int, 5), hex('06000000 38 00 05000000'));
  assert.deepEqual(bytes(t.nvarchar(2), 'a'), hex('0b000000 e7 07 0904100000 0400 6100'));
  assert.deepEqual(
    bytes(t.decimal(5, 2), { unscaled: 1n, scale: 2 }),
    hex('15000000 6a 02 05 02 01 01000000 000000000000000000000000'),
  );
  assert.deepEqual(
    bytesOf((out) => t.sqlVariant.writeInfo(out, modern)),
    hex('62 491f0000'),
  );
});

test('NULL is a length of 0', () => {
  assert.deepEqual(
    bytesOf((out) => t.sqlVariant.write(out, null, modern)),
    hex('00000000'),
  );
  assert.deepEqual(
    bytesOf((out) => t.sqlVariant.write(out, { type: t.int, value: null }, modern)),
    hex('00000000'),
  );
  assert.equal(t.sqlVariant.read(new ByteReader(hex('00000000')), modern), null);
});

test('a client before 7.3 gets a date within a sql_variant as text', () => {
  const old = dialectOf(tdsVersions['7.2']);
  const bytes = bytesOf((out) =>
    t.sqlVariant.write(out, { type: t.date, value: new Date('2024-01-02T00:00:00Z') }, old),
  );
  const read = t.sqlVariant.read(new ByteReader(bytes), old);
  assert.equal(read?.type.declaration, 'nvarchar(10)');
  assert.equal(read?.value, '2024-01-02');
});

test('what a sql_variant cannot hold is 206', () => {
  for (const type of [t.nvarchar('max'), t.xml, t.text, t.image, t.rowversion, t.sqlVariant]) {
    throwsNumber(206, () => t.sqlVariant.check({ type, value: '' }));
  }
  throwsNumber(8114, () => t.sqlVariant.check('text'));
});

test('a decimal may come in more bytes than it needs', () => {
  const bytes = hex('15000000 6c 02 05 02 01 01000000 00000000 00000000 00000000');
  assert.deepEqual(t.sqlVariant.read(new ByteReader(bytes), modern)?.value, { unscaled: 1n, scale: 2 });
});

test('malformed variants are refused clearly', () => {
  const read = (text: string) => t.sqlVariant.read(new ByteReader(hex(text)), modern);
  throwsNumber(4002, () => read('06000000 38 00'));
  throwsNumber(8009, () => read('06000000 f1 00 05000000'));
  throwsNumber(8016, () => read('06000000 38 01 05000000'));
  throwsNumber(8028, () => read('05000000 38 00 050000'));
  throwsNumber(8016, () => read('ffffffff 38 00'));
  throwsNumber(8028, () => read('0c000000 e7 07 0904100000 0200 610062'));
  const seeds = held.map(([type, value]) => bytesOf((out) => t.sqlVariant.write(out, { type, value }, modern)));
  withstandsAnything((bytes) => t.sqlVariant.read(new ByteReader(bytes), modern), seeds, 100);
});
