import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { batch } from '../../../test/support/recorder.ts';
import { openSession } from '../../../test/support/session.ts';

const moment = "cast('2021-12-08 11:30:15.1234567' as datetime2)";

/** The parts of 2021-12-08 11:30:15.1234567, a Wednesday, and where they begin. */
const beginnings: readonly (readonly [part: string, beginning: string])[] = [
  ['year', '2021-01-01 00:00:00.0000000'],
  ['quarter', '2021-10-01 00:00:00.0000000'],
  ['month', '2021-12-01 00:00:00.0000000'],
  ['dayofyear', '2021-12-08 00:00:00.0000000'],
  ['dd', '2021-12-08 00:00:00.0000000'],
  ['week', '2021-12-05 00:00:00.0000000'],
  ['isowk', '2021-12-06 00:00:00.0000000'],
  ['hh', '2021-12-08 11:00:00.0000000'],
  ['minute', '2021-12-08 11:30:00.0000000'],
  ['second', '2021-12-08 11:30:15.0000000'],
  ['millisecond', '2021-12-08 11:30:15.1230000'],
  ['microsecond', '2021-12-08 11:30:15.1234560'],
];

/** Other expressions, as text. */
const others: readonly (readonly [expression: string, value: string | null])[] = [
  ["datetrunc(month, '1998-03-04')", '1998-03-01 00:00:00.0000000'],
  ["datetrunc(year, cast('0050-03-04' as date))", '0050-01-01'],
  ["datetrunc(hour, cast('10:14:15.12' as time(2)))", '10:00:00.00'],
  ["datetrunc(day, cast('2020-01-02 01:30 +05:00' as datetimeoffset(0)))", '2020-01-02 00:00:00 +05:00'],
  ["convert(varchar(30), datetrunc(minute, cast('2020-01-02 01:30:29' as smalldatetime)), 120)", '2020-01-02 01:30:00'],
  ['datetrunc(day, cast(null as date))', null],
  // Years before 100 are those, not ones of the 20th century.
  ["datepart(dayofyear, cast('0050-03-01' as date))", '60'],
  ["eomonth(cast('0050-02-03' as date))", '0050-02-28'],
  ["eomonth('2020-11-30', 3)", '2021-02-28'],
  ["eomonth('2020-03-31', -1)", '2020-02-29'],
];

const refused: readonly (readonly [expression: string, number: number])[] = [
  [`datetrunc(weekday, ${moment})`, 9810],
  [`datetrunc(nanosecond, ${moment})`, 9810],
  ["datetrunc(hour, cast('2020-01-01' as date))", 9810],
  ["datetrunc(day, cast('10:00' as time))", 9810],
  ["datetrunc(microsecond, cast('10:00' as time(3)))", 9810],
  ["datetrunc(millisecond, cast('2020-01-01' as smalldatetime))", 9810],
  [`datetrunc(nothing, ${moment})`, 155],
  ['datetrunc(year, 1)', 8116],
  ['datetrunc(year)', 174],
];

const shown = async (expression: string) =>
  (await batch(await openSession(), `select cast(${expression} as varchar(40))`)).sets[0]?.rows[0]?.[0];

describe('DATETRUNC', () => {
  for (const [part, beginning] of beginnings)
    test(`${part} begins at ${beginning}`, async () =>
      assert.equal(await shown(`datetrunc(${part}, ${moment})`), beginning));

  test('a week begins where DATEFIRST says', async () => {
    const text = `set datefirst 3 select cast(datetrunc(wk, ${moment}) as date)`;
    const { sets } = await batch(await openSession(), text);
    assert.deepEqual(sets[0]?.rows, [[new Date('2021-12-08')]]);
  });

  test('is of the type of its argument', async () => {
    const { sets } = await batch(
      await openSession(),
      "select datetrunc(day, cast('2020-01-01' as date)), datetrunc(day, getdate()), datetrunc(hour, cast('1:00' as time(3)))",
    );
    assert.deepEqual(
      sets[0]?.columns.map(({ type }) => type.declaration),
      ['date', 'datetime', 'time(3)'],
    );
  });

  for (const [expression, value] of others)
    test(`${expression} is ${value}`, async () => assert.equal(await shown(expression), value));

  for (const [expression, number] of refused)
    test(`${expression} is error ${number}`, async () => {
      const { errors } = await batch(await openSession(), `select ${expression}`);
      assert.deepEqual(
        errors.map((error) => error.number),
        [number],
      );
    });
});
