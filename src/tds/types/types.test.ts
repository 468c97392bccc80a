import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bytesOf, dialects, hex, throwsNumber, withstandsAnything } from '../../../test/support/tds.ts';
import { ByteReader } from '../byte-reader.ts';
import { RowReader } from '../token/row-reader.ts';
import { type Dialect, dialectOf, modern, tdsVersions } from '../version.ts';
import * as t from './index.ts';

const day = (text: string): Date => new Date(`${text}T00:00:00.000Z`);
const longText = 'grün ß \u{1F33E} '.repeat(5000);

/** Values of every type that must survive the way out and back, and into the database and back. */
const samples: readonly [t.AnyType, readonly unknown[]][] = [
  [t.bigint, [0n, -1n, 2n ** 63n - 1n, -(2n ** 63n)]],
  [t.int, [0, -1, 2147483647, -2147483648]],
  [t.smallint, [0, -32768, 32767]],
  [t.tinyint, [0, 255]],
  [t.bit, [true, false]],
  [t.float, [0, -1.5, Number.MAX_VALUE, Number.MIN_VALUE, -0]],
  [t.real, [0, 0.5, Math.fround(3.4e38)]],
  [
    t.decimal(38, 0),
    [
      { unscaled: 10n ** 38n - 1n, scale: 0 },
      { unscaled: -(10n ** 38n) + 1n, scale: 0 },
    ],
  ],
  [t.decimal(9, 9), [{ unscaled: -5n, scale: 9 }]],
  [t.numeric(19, 4), [{ unscaled: 123456789n, scale: 4 }]],
  [t.numeric(28, 2), [{ unscaled: 10n ** 28n - 1n, scale: 2 }]],
  [
    t.money,
    [
      { unscaled: 2n ** 63n - 1n, scale: 4 },
      { unscaled: -(2n ** 63n), scale: 4 },
      { unscaled: -1n, scale: 4 },
    ],
  ],
  [
    t.smallmoney,
    [
      { unscaled: 2147483647n, scale: 4 },
      { unscaled: -1n, scale: 4 },
    ],
  ],
  [
    t.datetime,
    ['1753-01-01T00:00:00.000Z', '9999-12-31T23:59:59.997Z', '1899-12-31T23:59:59.003Z'].map((x) => new Date(x)),
  ],
  [t.smalldatetime, [day('1900-01-01'), new Date('2079-06-06T23:59:00.000Z')]],
  [t.date, [day('0001-01-01'), day('9999-12-31'), day('1969-12-31')]],
  [t.time(7), [{ day: 0, ticks: 863_999_999_999 }]],
  [t.time(0), [{ day: 0, ticks: 10_000_000 }]],
  [
    t.datetime2(7),
    [
      { day: 0, ticks: 0 },
      { day: 3_652_058, ticks: 863_999_999_999 },
    ],
  ],
  [t.datetime2(3), [{ day: 738_000, ticks: 10_000 }]],
  [
    t.datetimeoffset(7),
    [
      { day: 738_000, ticks: 1, offset: -840 },
      { day: 738_000, ticks: 863_999_999_999, offset: 840 },
    ],
  ],
  [t.datetimeoffset(0), [{ day: 5, ticks: 0, offset: 0 }]],
  [t.uniqueidentifier, ['00112233-4455-6677-8899-aabbccddeeff', '00000000-0000-0000-0000-000000000000']],
  [t.nvarchar(5), ['', 'abcde', '\ud800x']],
  [t.nvarchar(4000), ['x'.repeat(4000)]],
  [t.nvarchar('max'), ['', longText]],
  [t.nchar(3), ['ab ']],
  [t.varchar(4), ['', 'a€éÿ']],
  [t.varchar(8000), ['y'.repeat(8000)]],
  [t.varchar('max'), ['', 'z'.repeat(70_000)]],
  [t.char(2), ['a ']],
  [t.ntext, ['', longText]],
  [t.text, ['', 'naïve – “text”']],
  [t.varbinary(3), [Buffer.alloc(0), Buffer.of(1, 2, 3)]],
  [t.varbinary('max'), [Buffer.alloc(0), Buffer.alloc(100_000, 9)]],
  [t.binary(2), [Buffer.of(0, 255)]],
  [t.image, [Buffer.alloc(0), Buffer.alloc(70_000, 3)]],
  [t.xml, ['<a>ü</a>']],
  [t.rowversion, [0n, 2n ** 63n - 1n]],
];

/** Writes TYPE_INFO and a cell, and reads both as a client of the dialect would. */
function overTheWire(type: t.AnyType, value: unknown, dialect: Dialect): unknown {
  const bytes = bytesOf((out) => {
    type.writeInfo(out, dialect);
    type.write(out, value, dialect);
  });
  const read = new ByteReader(bytes);
  const seen = t.readTypeInfo(read, dialect);
  const row = new RowReader([{ name: 'c', type: seen, nullable: true }], dialect).readRow(read);
  assert.equal(read.remaining, 0, `${type.declaration} leaves bytes`);
  return row[0];
}

/** What a client that does not know the type gets for a value of it. */
function expected(type: t.AnyType, value: unknown, dialect: Dialect): unknown {
  if (type.asText !== undefined && !dialect.atLeast73) return type.asText(value);
  if (type === t.rowversion && typeof value === 'bigint') {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE(value);
    return bytes;
  }
  return value;
}

const plain = (value: unknown): unknown => (value instanceof Uint8Array ? Buffer.from(value) : value);

for (const [version, dialect] of dialects) {
  describe(`MS-TDS 2.2.5.6, a client of TDS ${version}`, () => {
    for (const [type, values] of samples) {
      test(`${type.declaration} survives with its limits and NULL`, () => {
        assert.equal(overTheWire(type, null, dialect), null);
        for (const value of values) {
          assert.deepEqual(plain(overTheWire(type, value, dialect)), expected(type, value, dialect));
        }
      });
    }
  });
}

test('a parameter survives from client to server in every dialect', () => {
  for (const [, dialect] of dialects) {
    for (const [type, values] of samples) {
      for (const value of [null, ...values]) {
        const bytes = bytesOf((out) => {
          type.writeInfo(out, dialect);
          if (type.long?.applies(dialect)) type.long.writeParam(out, value, dialect);
          else type.write(out, value, dialect);
        });
        const read = new ByteReader(bytes);
        const got = t.readTypeInfo(read, dialect).read(read, dialect);
        assert.deepEqual(plain(got), value === null ? null : expected(type, value, dialect));
        assert.equal(read.remaining, 0);
      }
    }
  }
});

for (const [type, values] of samples) {
  test(`${type.declaration}: a checked value is kept and comes back the same`, () => {
    for (const value of values) {
      const checked: unknown = type.check(value);
      assert.deepEqual(plain(checked), value);
      const kept = type.toStore(checked);
      assert.notEqual(kept, null);
      const stored = kept instanceof Date ? kept.getTime() : typeof kept === 'boolean' ? Number(kept) : kept;
      assert.deepEqual(plain(type.fromStore(stored ?? 0)), value);
    }
  });
}

/** TYPE_INFO and a value, byte for byte. */
const vectors: readonly [string, t.AnyType, unknown, string, string][] = [
  ['2.2.5.4.3: INTN', t.int, 7, '26 04', '04 07000000'],
  ['2.2.5.4.3: INTN', t.bigint, -1n, '26 08', '08 ffffffffffffffff'],
  ['2.2.5.4.3: BITN', t.bit, true, '68 01', '01 01'],
  ['2.2.5.4.3: FLTN', t.float, 1, '6d 08', '08 000000000000f03f'],
  [
    '2.2.5.5.1.4: MONEYN, high half first',
    t.money,
    { unscaled: 0x1_0000_0002n, scale: 4 },
    '6e 08',
    '08 01000000 02000000',
  ],
  [
    '2.2.5.5.1.8: DATETIMN, days and 1/300 s',
    t.datetime,
    new Date('1900-01-02T00:00:01.000Z'),
    '6f 08',
    '08 01000000 2c010000',
  ],
  [
    '2.2.5.5.1.8: DATETIMN, days and minutes',
    t.smalldatetime,
    new Date('1900-01-02T01:01:00.000Z'),
    '6f 04',
    '04 0100 3d00',
  ],
  ['2.2.5.5.1.6: DECIMALN', t.decimal(5, 2), { unscaled: -12345n, scale: 2 }, '6a 11 05 02', '05 00 39300000'],
  [
    '2.2.5.5.1.7: GUID, first groups little-endian',
    t.uniqueidentifier,
    '00112233-4455-6677-8899-aabbccddeeff',
    '24 10',
    '10 33221100 5544 7766 8899aabbccddeeff',
  ],
  ['2.2.5.5.1.8: DATEN', t.date, day('0001-01-02'), '28', '03 010000'],
  ['2.2.5.5.1.8: TIMEN', t.time(0), { day: 0, ticks: 1e7 }, '29 00', '03 010000'],
  ['2.2.5.5.1.8: DATETIME2N', t.datetime2(7), { day: 1, ticks: 2 }, '2a 07', '08 0200000000 010000'],
  [
    '2.2.5.5.1.8: DATETIMEOFFSETN',
    t.datetimeoffset(7),
    { day: 1, ticks: 2, offset: -60 },
    '2b 07',
    '0a 0200000000 010000 c4ff',
  ],
  ['2.2.5.4.3: NVARCHAR counts bytes', t.nvarchar(10), 'ab', 'e7 1400 0904100000', '0400 6100 6200'],
  ['2.2.5.4.3: VARCHAR in code page 1252', t.varchar(10), '€', 'a7 0a00 0904100000', '0100 80'],
  ['2.2.5.4.3: VARBINARY', t.varbinary(4), Buffer.of(1), 'a5 0400', '0100 01'],
  [
    '2.2.5.2.3: NVARCHAR(MAX) is PLP',
    t.nvarchar('max'),
    'a',
    'e7 ffff 0904100000',
    '0200000000000000 02000000 6100 00000000',
  ],
  [
    '2.2.5.2.3: an empty PLP value has no chunk',
    t.varbinary('max'),
    Buffer.alloc(0),
    'a5 ffff',
    '0000000000000000 00000000',
  ],
  ['2.2.5.2.3: a NULL PLP value', t.varbinary('max'), null, 'a5 ffff', 'ffffffffffffffff'],
  ['2.2.5.5.3: XML without a schema', t.xml, 'a', 'f1 00', '0200000000000000 02000000 6100 00000000'],
  ['2.2.5.4.3: NULL of NVARCHAR is FFFF', t.nvarchar(1), null, 'e7 0200 0904100000', 'ffff'],
  ['2.2.5.4.3: NULL of INTN is no length', t.int, null, '26 04', '00'],
  ['2.2.5.4.3: a row version is BINARY(8)', t.rowversion, 0x102n, 'ad 0800', '0800 0000000000000102'],
];

for (const [name, type, value, info, bytes] of vectors) {
  test(`MS-TDS ${name}: ${type.declaration}`, () => {
    assert.deepEqual(
      bytesOf((out) => type.writeInfo(out, modern)),
      hex(info),
    );
    assert.deepEqual(
      bytesOf((out) => type.write(out, value, modern)),
      hex(bytes),
    );
  });
}

test('a client of 7.0 gets no collations', () => {
  const old = dialectOf(tdsVersions['7.0']);
  assert.deepEqual(
    bytesOf((out) => t.nvarchar(2).writeInfo(out, old)),
    hex('e7 0400'),
  );
});

test('before 7.2 max types travel as NTEXT, TEXT and IMAGE, behind a text pointer', () => {
  const old = dialectOf(tdsVersions['7.1']);
  const infoOf = (type: t.AnyType): string => bytesOf((out) => type.writeInfo(out, old)).toString('hex');
  assert.equal(infoOf(t.nvarchar('max')), '63ffffff7f0904100000');
  assert.equal(infoOf(t.xml), '63ffffff7f0904100000');
  assert.equal(infoOf(t.varchar('max')), '23ffffff7f0904100000');
  assert.equal(infoOf(t.varbinary('max')), '22ffffff7f');
  const cell = bytesOf((out) => t.varbinary('max').write(out, Buffer.of(7), old));
  assert.equal(cell.length, 1 + 16 + 8 + 4 + 1);
  assert.equal(cell[0], 16);
  assert.deepEqual(
    bytesOf((out) => t.nvarchar('max').write(out, null, old)),
    hex('00'),
  );
});

test('before 7.3 a date is nvarchar text', () => {
  const old = dialectOf(tdsVersions['7.2']);
  assert.equal(overTheWire(t.date, day('2024-02-29'), old), '2024-02-29');
  assert.equal(overTheWire(t.time(3), { day: 0, ticks: 45_296_789_0000 }, old), '12:34:56.789');
  assert.equal(overTheWire(t.datetime2(0), { day: 0, ticks: 0 }, old), '0001-01-01 00:00:00');
  const moment = { day: t.dayOf(day('2024-01-01')), ticks: 0, offset: -90 };
  assert.equal(overTheWire(t.datetimeoffset(0), moment, old), '2023-12-31 22:30:00 -01:30');
});

test('any TYPE_INFO and value, however wrong, is read or refused clearly', () => {
  const decode = (bytes: Buffer): unknown => {
    const read = new ByteReader(bytes);
    return t.readTypeInfo(read, modern).read(read, modern);
  };
  const seeds = vectors.map(([, type, value]) =>
    bytesOf((out) => {
      type.writeInfo(out, modern);
      type.write(out, value, modern);
    }),
  );
  withstandsAnything(decode, seeds, 150);
});

test('a length that lies is refused before anything is allocated', () => {
  const before = process.memoryUsage().arrayBuffers;
  for (const bytes of [
    '22 ffffff7f ffffff7f 00',
    'a5 ffff feffffffffffffff ffffff7f 00',
    'a5 ffff 00000000ff000000 ffffff7f',
  ]) {
    const read = new ByteReader(hex(bytes));
    throwsNumber(4002, () => t.readTypeInfo(read, modern).read(read, modern));
  }
  assert.ok(process.memoryUsage().arrayBuffers - before < 50_000_000);
});

test('MS-TDS 2.2.5.2.3: a value in chunks of one byte is put together without an object for each', () => {
  const chunks = 200_000;
  const body = Buffer.alloc(chunks * 5);
  for (let at = 0; at < chunks; at++) body.set([1, 0, 0, 0, at & 0xff], at * 5);
  const bytes = new ByteReader(Buffer.concat([Buffer.from('feffffffffffffff', 'hex'), body, Buffer.alloc(4)]));
  const before = process.memoryUsage().heapUsed;
  const value = t.varbinary('max').read(bytes, modern);
  assert.ok(process.memoryUsage().heapUsed - before < 10 * 1024 * 1024);
  assert.deepEqual(value, Buffer.from(Array.from({ length: chunks }, (_, at) => at & 0xff)));
  assert.equal(bytes.remaining, 0);
});
