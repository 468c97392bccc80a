import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { throwsNumber } from '../../../test/support/tds.ts';
import * as t from './index.ts';

test('a whole number outside of its type is 8115 for int and bigint, 220 for the smaller ones', () => {
  throwsNumber(8115, () => t.int.check(2147483648));
  throwsNumber(8115, () => t.bigint.check(2n ** 63n));
  throwsNumber(220, () => t.smallint.check(-32769));
  throwsNumber(220, () => t.tinyint.check(256));
  throwsNumber(220, () => t.tinyint.check(-1));
  assert.throws(() => t.tinyint.check(256), {
    message: 'Arithmetic overflow error for data type tinyint, value = 256.',
  });
});

test('a value of another kind is 8114', () => {
  throwsNumber(8114, () => t.int.check('1'));
  throwsNumber(8114, () => t.int.check(1.5));
  throwsNumber(8114, () => t.int.check(Number.NaN));
  throwsNumber(8114, () => t.bigint.check(1));
  throwsNumber(8114, () => t.bit.check(1));
  throwsNumber(8114, () => t.datetime.check('2024-01-01'));
  throwsNumber(8114, () => t.nvarchar(5).check(5));
  throwsNumber(8114, () => t.varbinary(5).check('abc'));
  throwsNumber(8114, () => t.decimal(5, 2).check(1));
  throwsNumber(8114, () => t.datetime2(7).check({ day: -1, ticks: 0 }));
  throwsNumber(8114, () => t.datetimeoffset(7).check({ day: 1, ticks: 0, offset: 841 }));
  throwsNumber(8114, () => t.datetimeoffset(7).check({ day: 0, ticks: 0, offset: -60 }));
  throwsNumber(8114, () => t.xml.check(null));
  throwsNumber(8114, () => t.rowversion.check(1));
});

test('text and bytes longer than their type are 8152', () => {
  throwsNumber(8152, () => t.nvarchar(2).check('abc'));
  throwsNumber(8152, () => t.varchar(2).check('abc'));
  throwsNumber(8152, () => t.nchar(2).check('abc'));
  throwsNumber(8152, () => t.varbinary(2).check(Buffer.alloc(3)));
});

test('char and binary are padded to their length', () => {
  assert.equal(t.char(3).check('a'), 'a  ');
  assert.equal(t.nchar(3).check('a'), 'a  ');
  assert.deepEqual(t.binary(3).check(Buffer.of(1)), Buffer.of(1, 0, 0));
});

test('varchar keeps no character outside of code page 1252', () => {
  assert.equal(t.varchar(10).check('ab\u4e2d€'), 'ab?€');
});

test('a float is finite, and a real is rounded to single precision', () => {
  throwsNumber(8115, () => t.float.check(Number.POSITIVE_INFINITY));
  throwsNumber(8115, () => t.float.check(Number.NaN));
  throwsNumber(8115, () => t.real.check(1e39));
  assert.equal(t.real.check(0.1), Math.fround(0.1));
});

test('a decimal is rounded half away from zero to its scale, and refused beyond its precision', () => {
  assert.deepEqual(t.decimal(5, 1).check({ unscaled: 125n, scale: 2 }), { unscaled: 13n, scale: 1 });
  assert.deepEqual(t.decimal(5, 1).check({ unscaled: -125n, scale: 2 }), { unscaled: -13n, scale: 1 });
  assert.deepEqual(t.decimal(5, 2).check({ unscaled: 1n, scale: 0 }), { unscaled: 100n, scale: 2 });
  throwsNumber(8115, () => t.decimal(3, 0).check({ unscaled: 1000n, scale: 0 }));
  throwsNumber(8115, () => t.smallmoney.check({ unscaled: 2147483648n, scale: 4 }));
});

test('a uniqueidentifier is lower-cased, and refused with 8169 when it is none', () => {
  assert.equal(
    t.uniqueidentifier.check('00112233-4455-6677-8899-AABBCCDDEEFF'),
    '00112233-4455-6677-8899-aabbccddeeff',
  );
  throwsNumber(8169, () => t.uniqueidentifier.check('{00112233-4455-6677-8899-aabbccddeeff}'));
});

test('datetime rounds to .000, .003 and .007 as SQL Server does', () => {
  const rounded = (fraction: string): string =>
    t
      .roundToDatetime(new Date(`2024-01-01T23:59:59.${fraction}Z`))
      .toISOString()
      .slice(0, 23);
  const expected: Record<string, string> = {
    '990': '2024-01-01T23:59:59.990',
    '991': '2024-01-01T23:59:59.990',
    '992': '2024-01-01T23:59:59.993',
    '993': '2024-01-01T23:59:59.993',
    '994': '2024-01-01T23:59:59.993',
    '995': '2024-01-01T23:59:59.997',
    '998': '2024-01-01T23:59:59.997',
    '999': '2024-01-02T00:00:00.000',
  };
  for (const [fraction, result] of Object.entries(expected)) assert.equal(rounded(fraction), result);
});

test('rounding a datetime twice is rounding it once, before 1970 too', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1753-01-01'), max: new Date('9999-12-30'), noInvalidDate: true }),
      (moment) => {
        const once = t.roundToDatetime(moment);
        assert.deepEqual(t.roundToDatetime(once), once);
        assert.ok(Math.abs(once.getTime() - moment.getTime()) <= 2);
      },
    ),
  );
});

test('smalldatetime rounds 29.998 seconds down and 29.999 up', () => {
  assert.deepEqual(t.smalldatetime.check(new Date('2024-01-01T12:35:29.998Z')), new Date('2024-01-01T12:35:00Z'));
  assert.deepEqual(t.smalldatetime.check(new Date('2024-01-01T12:35:29.999Z')), new Date('2024-01-01T12:36:00Z'));
  assert.deepEqual(t.smalldatetime.check(new Date('2024-01-01T12:35:30.000Z')), new Date('2024-01-01T12:36:00Z'));
});

test('moments outside of their type are 242', () => {
  throwsNumber(242, () => t.datetime.check(new Date('1752-12-31T23:59:59Z')));
  throwsNumber(242, () => t.datetime.check(new Date('9999-12-31T23:59:59.999Z')));
  throwsNumber(242, () => t.datetime.check(new Date(Number.NaN)));
  throwsNumber(242, () => t.smalldatetime.check(new Date('2079-06-07T00:00:00Z')));
  throwsNumber(242, () => t.smalldatetime.check(new Date('1899-12-31T00:00:00Z')));
});

test('datetime2 carries into the next day when it rounds up; time, and the last day of all, stay in their day', () => {
  assert.deepEqual(t.datetime2(0).check({ day: 4, ticks: 863_999_999_999 }), { day: 5, ticks: 0 });
  assert.deepEqual(t.time(0).check({ day: 0, ticks: 863_999_999_999 }), { day: 0, ticks: 863_990_000_000 });
  const last = { day: 3_652_058, ticks: 863_999_999_999 };
  assert.deepEqual(t.datetime2(0).check(last), { ...last, ticks: 863_990_000_000 });
  assert.deepEqual(t.datetimeoffset(2).check(last), { ...last, ticks: 863_999_900_000, offset: 0 });
});

test('an instant is written and read as text without loss', () => {
  const instant = fc.record({
    day: fc.integer({ min: 1, max: 3_652_057 }),
    ticks: fc.integer({ min: 0, max: 863_999_999_999 }),
    offset: fc.integer({ min: -840, max: 840 }),
  });
  fc.assert(
    fc.property(instant, (value) => {
      assert.deepEqual(t.parseInstant(t.formatInstant(value, 7)), { ...value });
    }),
  );
});
