import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as t from '../types/index.ts';
import type { AnyType } from '../types/sql-type.ts';
import { type ConvertOptions, convert } from './convert.ts';

const cast: ConvertOptions = { implicit: false };
const inBatch: ConvertOptions = { implicit: true, expression: true };
const utc = (text: string): Date => new Date(`${text}Z`);

const readings: readonly [string, string][] = [
  ['Jan 31 2008 01:01:01:000AM', '2008-01-31T01:01:01.000'],
  ['2010-01-19 14:18:53.397', '2010-01-19T14:18:53.397'],
  ['2010-01-19T14:18:53.397Z', '2010-01-19T14:18:53.397'],
  ['2010-01-19T14:18:53', '2010-01-19T14:18:53.000'],
  ['20100119', '2010-01-19T00:00:00.000'],
  ['20100119 10:11', '2010-01-19T10:11:00.000'],
  ['100119', '2010-01-19T00:00:00.000'],
  ['1/19/2010', '2010-01-19T00:00:00.000'],
  ['1-19-10 5PM', '2010-01-19T17:00:00.000'],
  ['19 January 2010', '2010-01-19T00:00:00.000'],
  ['January 19, 2010 12:30 am', '2010-01-19T00:30:00.000'],
  ['Jan 2010', '2010-01-01T00:00:00.000'],
  ["{ts '2010-01-19 14:18:53.397'}", '2010-01-19T14:18:53.397'],
  ["{d '2010-01-19'}", '2010-01-19T00:00:00.000'],
  ['', '1900-01-01T00:00:00.000'],
  ['14:30', '1900-01-01T14:30:00.000'],
  ['2010', '2010-01-01T00:00:00.000'],
  ['2010-01-19 23:59:59.999', '2010-01-20T00:00:00.000'],
  ['2010-01-19 10:00:00.001', '2010-01-19T10:00:00.000'],
  ['2010-01-19 10:00:00.002', '2010-01-19T10:00:00.003'],
  ['2010-01-19 10:00:00.005', '2010-01-19T10:00:00.007'],
];

for (const [text, expected] of readings) {
  test(`reads '${text}' as a datetime`, () => {
    assert.deepEqual(convert(text, t.varchar(50), t.datetime), utc(expected));
  });
}

const moment = utc('2008-01-31T01:02:03.457');
const styles: readonly [number | undefined, string][] = [
  [undefined, 'Jan 31 2008  1:02AM'],
  [0, 'Jan 31 2008  1:02AM'],
  [100, 'Jan 31 2008  1:02AM'],
  [1, '01/31/08'],
  [101, '01/31/2008'],
  [2, '08.01.31'],
  [102, '2008.01.31'],
  [3, '31/01/08'],
  [103, '31/01/2008'],
  [104, '31.01.2008'],
  [105, '31-01-2008'],
  [106, '31 Jan 2008'],
  [107, 'Jan 31, 2008'],
  [8, '01:02:03'],
  [108, '01:02:03'],
  [109, 'Jan 31 2008  1:02:03:457AM'],
  [110, '01-31-2008'],
  [111, '2008/01/31'],
  [112, '20080131'],
  [113, '31 Jan 2008 01:02:03:457'],
  [114, '01:02:03:457'],
  [20, '2008-01-31 01:02:03'],
  [120, '2008-01-31 01:02:03'],
  [121, '2008-01-31 01:02:03.457'],
  [126, '2008-01-31T01:02:03.457'],
  [127, '2008-01-31T01:02:03.457'],
  [131, '22/01/1429  1:02:03:457AM'],
];

for (const [style, expected] of styles) {
  test(`writes a datetime in style ${style ?? 'default'}`, () => {
    const options = style === undefined ? cast : { implicit: false, style };
    assert.equal(convert(moment, t.datetime, t.varchar(50), options), expected);
  });
}

interface Case {
  readonly value: unknown;
  readonly from: AnyType;
  readonly to: AnyType;
  readonly gives: unknown;
  readonly style?: number;
}
const guid = '6f9619ff-8b86-d011-b42d-00c04fc964ff';
const exact = (unscaled: bigint, scale: number) => ({ unscaled, scale });

const cases: readonly Case[] = [
  { value: ' 42 ', from: t.varchar(10), to: t.int, gives: 42 },
  { value: '-7', from: t.nvarchar(10), to: t.bigint, gives: -7n },
  { value: '', from: t.varchar(10), to: t.int, gives: 0 },
  { value: 'TRUE', from: t.varchar(10), to: t.bit, gives: true },
  { value: '0', from: t.varchar(10), to: t.bit, gives: false },
  { value: exact(-199n, 2), from: t.decimal(5, 2), to: t.int, gives: -1 },
  { value: exact(15_000n, 4), from: t.money, to: t.int, gives: 2 },
  { value: 1.9, from: t.float, to: t.int, gives: 1 },
  { value: Uint8Array.of(1, 2), from: t.varbinary(2), to: t.int, gives: 258 },
  { value: Uint8Array.of(255, 255, 255, 255), from: t.varbinary(4), to: t.int, gives: -1 },
  { value: utc('1900-01-02T12:00:00'), from: t.datetime, to: t.int, gives: 2 },
  { value: '12.345', from: t.varchar(10), to: t.decimal(5, 2), gives: exact(1235n, 2) },
  { value: 0.1, from: t.float, to: t.decimal(10, 3), gives: exact(100n, 3) },
  { value: '$1,234.5', from: t.varchar(10), to: t.money, gives: exact(12_345_000n, 4) },
  { value: '- 214,748.3648', from: t.varchar(20), to: t.smallmoney, gives: exact(-2_147_483_648n, 4) },
  { value: '$ - 5', from: t.varchar(20), to: t.money, gives: exact(-50_000n, 4) },
  { value: '1.5e2', from: t.varchar(10), to: t.float, gives: 150 },
  { value: 2.34567891, from: t.float, to: t.varchar(20), gives: '2.34568' },
  { value: 1e6, from: t.float, to: t.varchar(20), gives: '1e+006' },
  { value: 123456.7, from: t.float, to: t.varchar(20), gives: '123457' },
  { value: 0.1, from: t.float, to: t.varchar(30), gives: '1.000000000000000e-001', style: 2 },
  { value: exact(12_345_678n, 4), from: t.money, to: t.varchar(20), gives: '1234.57' },
  { value: exact(12_345_678_000n, 4), from: t.money, to: t.varchar(20), gives: '1,234,567.80', style: 1 },
  { value: 12345, from: t.int, to: t.varchar(2), gives: '*' },
  { value: 'abcdef', from: t.varchar(10), to: t.varchar(3), gives: 'abc' },
  { value: 'ab', from: t.varchar(10), to: t.char(4), gives: 'ab  ' },
  { value: 'Ω€', from: t.nvarchar(10), to: t.varchar(4), gives: '?€' },
  { value: true, from: t.bit, to: t.varchar(1), gives: '1' },
  { value: guid, from: t.uniqueidentifier, to: t.varchar(36), gives: guid.toUpperCase() },
  { value: `{${guid.toUpperCase()}}`, from: t.varchar(40), to: t.uniqueidentifier, gives: guid },
  { value: Uint8Array.of(0xab, 1), from: t.varbinary(2), to: t.varchar(10), gives: '0xAB01', style: 1 },
  { value: Uint8Array.of(0xab, 1), from: t.varbinary(2), to: t.varchar(10), gives: 'AB01', style: 2 },
  { value: '0xAB01', from: t.varchar(10), to: t.varbinary(5), gives: Uint8Array.of(0xab, 1), style: 1 },
  { value: 1, from: t.int, to: t.varbinary(8), gives: Uint8Array.of(0, 0, 0, 1) },
  { value: 1, from: t.int, to: t.binary(2), gives: Uint8Array.of(0, 1) },
  { value: Uint8Array.of(9), from: t.varbinary(1), to: t.binary(2), gives: Uint8Array.of(9, 0) },
  { value: utc('2010-05-06T07:08:09.123'), from: t.datetime, to: t.date, gives: utc('2010-05-06T00:00:00') },
  { value: '2010-05-06 07:08:29.998', from: t.varchar(30), to: t.smalldatetime, gives: utc('2010-05-06T07:08:00') },
  { value: '2010-05-06 07:08:29.999', from: t.varchar(30), to: t.smalldatetime, gives: utc('2010-05-06T07:09:00') },
  { value: '2010-05-06', from: t.varchar(30), to: t.datetime2(7), gives: { day: 733897, ticks: 0 } },
  ...(
    [
      [6_349_999, '.633'],
      [6_350_000, '.637'],
      [7_883_333, '.787'],
      [7_883_334, '.790'],
      [9_983_333, '.997'],
    ] as const
  ).map(([ticks, decimals]) => ({
    value: { day: 733897, ticks },
    from: t.datetime2(7),
    to: t.datetime,
    gives: utc(`2010-05-06T00:00:00${decimals}`),
  })),
  { value: '00:00:01.123456789', from: t.varchar(30), to: t.time(7), gives: { day: 0, ticks: 11_234_568 } },
  { value: '23:59:59.999999999', from: t.varchar(30), to: t.time(7), gives: { day: 0, ticks: 863_999_999_999 } },
  { value: '23:59:59.999999999', from: t.varchar(30), to: t.time(4), gives: { day: 0, ticks: 863_999_999_000 } },
  { value: '23:59:59.999999999', from: t.varchar(30), to: t.time(0), gives: { day: 0, ticks: 863_990_000_000 } },
  {
    value: '2010-05-06 02:00 +02:00',
    from: t.varchar(30),
    to: t.datetimeoffset(0),
    gives: { day: 733897, ticks: 0, offset: 120 },
  },
  {
    value: { day: 733897, ticks: 0, offset: 120 },
    from: t.datetimeoffset(0),
    to: t.varchar(40),
    gives: '2010-05-06 02:00:00 +02:00',
  },
  { value: 1, from: t.int, to: t.datetime, gives: utc('1900-01-02T00:00:00') },
  { value: 5, from: t.int, to: t.sqlVariant, gives: { type: t.int, value: 5 } },
  { value: { type: t.varchar(5), value: '7' }, from: t.sqlVariant, to: t.int, gives: 7 },
  { value: null, from: t.varchar(5), to: t.varbinary(5), gives: null },
];

for (const { value, from, to, gives, style } of cases) {
  const shown =
    from.name === 'sql_variant' ? 'a variant' : typeof value === 'object' ? 'a value' : `'${String(value)}'`;
  test(`CONVERT(${to.declaration}, ${shown} of ${from.declaration}${style === undefined ? '' : `, ${style}`})`, () => {
    const converted = convert(value, from, to, style === undefined ? cast : { implicit: false, style });
    const plain = converted instanceof Uint8Array ? Uint8Array.from(converted) : converted;
    assert.deepEqual(plain, gives);
  });
}

const refusals: readonly [number, unknown, AnyType, AnyType, ConvertOptions][] = [
  [8114, 'abc', t.nvarchar(5), t.bigint, { implicit: true }],
  [8114, 'abc', t.nvarchar(5), t.int, { implicit: true }],
  [8114, 'abc', t.nvarchar(5), t.uniqueidentifier, { implicit: true }],
  [8114, 'abc', t.nvarchar(5), t.datetime, { implicit: true }],
  [8114, 300, t.int, t.tinyint, { implicit: true }],
  [8152, 'abcdef', t.nvarchar(10), t.nvarchar(3), { implicit: true }],
  [8152, 'abc\t', t.nvarchar(10), t.nvarchar(3), { implicit: true }],
  [8152, Uint8Array.of(1, 2, 3), t.varbinary(3), t.varbinary(2), { implicit: true }],
  [257, 'abc', t.nvarchar(5), t.varbinary(5), { implicit: true }],
  [257, utc('2010-01-01T00:00'), t.datetime, t.int, { implicit: true }],
  [206, 5, t.int, t.uniqueidentifier, { implicit: true }],
  [206, 5, t.int, t.date, inBatch],
  [529, 5, t.int, t.date, cast],
  [245, 'abc', t.varchar(5), t.int, cast],
  [8114, 'abc', t.varchar(5), t.bigint, cast],
  [248, '9999999999', t.varchar(10), t.int, cast],
  [244, '300', t.varchar(10), t.tinyint, cast],
  [220, 300, t.int, t.tinyint, cast],
  [8115, 3_000_000_000n, t.bigint, t.int, cast],
  [241, 'abc', t.varchar(5), t.datetime, cast],
  [242, '2010-13-01', t.varchar(10), t.datetime, cast],
  [242, '1752-12-31', t.varchar(10), t.datetime, cast],
  [241, '2010-13-01', t.varchar(10), t.date, cast],
  [8169, 'abc', t.varchar(5), t.uniqueidentifier, cast],
  [8115, 12345, t.int, t.nvarchar(2), cast],
  [8115, 1000, t.int, t.decimal(5, 2), cast],
  [235, 'abc', t.varchar(5), t.money, cast],
  [281, utc('2010-01-01T00:00'), t.datetime, t.varchar(30), { implicit: false, style: 99 }],
];

for (const [number, value, from, to, options] of refusals) {
  const how = options.implicit ? (options.expression ? 'in an expression' : 'as an argument') : 'by CAST';
  test(`refuses ${from.declaration} ${String(value)} to ${to.declaration} ${how} with ${number}`, () => {
    assert.throws(() => convert(value, from, to, options), { number });
  });
}
