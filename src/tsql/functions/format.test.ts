import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batch } from '../../../test/support/recorder.ts';
import { openSession } from '../../../test/support/session.ts';

const moment = "cast('2024-02-03T15:04:05.0670000' as datetime2(7))";

const formats: readonly [value: string, format: string, text: string | null][] = [
  ['1234567.891', 'N2', '1,234,567.89'],
  ['1234567.891', 'N0', '1,234,568'],
  ['1234567', 'n', '1,234,567.00'],
  ['-0.001', 'N2', '0.00'],
  ['cast(1234.5 as money)', 'C', '$1,234.50'],
  ['-5', 'C0', '($5)'],
  ['0.12345', 'P', '12.35 %'],
  ['0.12345', 'P1', '12.3 %'],
  ['42', 'D5', '00042'],
  ['-42', 'D', '-42'],
  ['4.2', 'D', null],
  ['255', 'X', 'FF'],
  ['-1', 'x', 'ffffffff'],
  ['cast(-1 as bigint)', 'X', 'FFFFFFFFFFFFFFFF'],
  ['12345.678', 'E2', '1.23E+004'],
  ['cast(0.00099999 as float)', 'e1', '1.0e-003'],
  ['2.25', 'F1', '2.3'],
  ['-2.25', 'F1', '-2.3'],
  ['cast(1.50 as decimal(9,2))', 'G', '1.50'],
  ['cast(1.5 as float)', 'G', '1.5'],
  ['cast(0.1 as real)', 'G', '0.1'],
  ['cast(1e20 as float)', 'G', '1E+20'],
  ['12345', 'G3', '1.23E+04'],
  ['1', 'Q', null],
  ['42', '00000', '00042'],
  ['1234.5', '#,##0.00', '1,234.50'],
  ['1234567890', '#,#', '1,234,567,890'],
  ['0', '#', ''],
  ['0', '#,##0', '0'],
  ['1.5', '0.##', '1.5'],
  ['1', '0.##', '1'],
  ['0.5', '#.##', '.5'],
  ['1.234', '00.00', '01.23'],
  ['123456789', '###-##-####', '123-45-6789'],
  ['5551234567', '(###) ###-####', '(555) 123-4567'],
  ['0.1234', '0.0%', '12.3%'],
  ['12345678', '0,,', '12'],
  ['12345678', '#,##0,K', '12,346K'],
  ['-5', '#,##0;(#,##0);zero', '(5)'],
  ['0', '#,##0;(#,##0);zero', 'zero'],
  ['5', '#,##0;(#,##0);zero', '5'],
  ['-5', '0.0', '-5.0'],
  ['-0.001', '0.00', '0.00'],
  ['5', '\\#0 "of" \'0\'', '#5 of 0'],
  ["cast('2024-02-03' as date)", 'd', '2/3/2024'],
  ["cast('2024-02-03' as date)", 'D', 'Saturday, February 3, 2024'],
  [moment, 'G', '2/3/2024 3:04:05 PM'],
  [moment, 'yyyy-MM-dd HH:mm:ss.fff', '2024-02-03 15:04:05.067'],
  [moment, 'o', '2024-02-03T15:04:05.0670000'],
  [moment, 's', '2024-02-03T15:04:05'],
  [moment, 'R', 'Sat, 03 Feb 2024 15:04:05 GMT'],
  [moment, 'MMM yy', 'Feb 24'],
  [moment, 'MMMM', 'February'],
  [moment, 'ddd h:mm tt', 'Sat 3:04 PM'],
  [moment, '%d', '3'],
  [moment, "yyyy'y' \\d", '2024y d'],
  [moment, 'ss.FFFF', '05.067'],
  ["cast('2024-02-03' as datetime)", 'ss.FFF', '00'],
  ["cast('2024-02-03T01:02:03+02:30' as datetimeoffset)", 'HH:mm zzz', '01:02 +02:30'],
  ["cast('2024-02-03' as datetime)", 'x', null],
  ["cast('15:04:05' as time)", 'hh\\:mm', '15:04'],
  ["cast('15:04:05' as time)", 'hh:mm', null],
  ["cast('15:04:05' as time(0))", 'c', '15:04:05'],
];

for (const [value, format, text] of formats) {
  test(`FORMAT(${value}, '${format}') is ${text}`, async () => {
    const quoted = format.replaceAll("'", "''");
    const { sets, errors } = await batch(
      await openSession(),
      `select format(${value}, N'${quoted}'), format(${value}, '${quoted}', 'en-US')`,
    );
    assert.deepEqual(errors, []);
    assert.deepEqual(sets[0]?.rows, [[text, text]]);
  });
}

test('FORMAT refuses text, and cultures that it does not know', async () => {
  for (const [call, number] of [
    ["format('x', 'N')", 8116],
    ["format(1, 'N', 'de-DE')", 9818],
    ["format(1, '0E0')", 50000],
  ] as const) {
    const { errors } = await batch(await openSession(), `select ${call}`);
    assert.deepEqual(
      errors.map((error) => error.number),
      [number],
      call,
    );
  }
  const { errors } = await batch(await openSession(), "set language Deutsch select format(1, 'N')");
  assert.deepEqual(
    errors.map((error) => error.number),
    [9818],
  );
  assert.deepEqual((await batch(await openSession(), "select format(cast(null as int), 'N')")).sets[0]?.rows, [[null]]);
});
