import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hex, throwsNumber } from '../../../test/support/tds.ts';
import { decodeRpc } from '../message/index.ts';
import { modern } from '../version.ts';
import { isTableType } from './table-type.ts';
import { isPassedTable } from './table-value.ts';

/** A call of p with a parameter @t of the type dbo.T: what follows its name. */
const call = (table: string) =>
  decodeRpc(
    hex(`16000000 12000000 0200 0000000000000000 01000000 0100 7000 0000 02 4000 7400 00
      f3 00 03 640062006f00 01 5400 ${table}`),
    modern,
  ).calls[0]?.params[0];

/** The places of the columns that a table has values for. */
function places(table: string): number[] {
  const value = call(table)?.value;
  assert(isPassedTable(value));
  return value.read().columns.map(({ place }) => place);
}

const int = '00000000 0000 26 04 00';
const defaulted = '00000000 0002 26 04 00';
const text = '00000000 0000 e7 0a00 0904d00034 00';

test('MS-TDS 2.2.5.5.5: a table-valued parameter is read with its type, its columns and its rows', () => {
  const param = call(`0200 ${int} ${text} 00 01 04 07000000 0200 6100 01 00 ffff 00`);
  assert(param !== undefined && isTableType(param.type));
  assert.deepEqual(param.type.typeName, { schema: 'dbo', name: 'T' });
  assert(isPassedTable(param.value));
  const { columns, rows } = param.value.read();
  assert.deepEqual([param.value.width, param.value.count, columns.map(({ place }) => place)], [2, 2, [0, 1]]);
  assert.deepEqual(
    [...rows],
    [
      [7, 'a'],
      [null, null],
    ],
  );
});

test('MS-TDS 2.2.5.5.5.2: a column with fDefault has no values in the rows', () => {
  assert.deepEqual(places(`0200 ${defaulted} ${int} 00 01 04 07000000 00`), [1]);
});

test('MS-TDS 2.2.5.5.5.3: TVP_COLUMN_ORDERING tells which column a value is of, and TVP_ORDER_UNIQUE is passed over', () => {
  const options = '10 0100 0100 01 11 0200 0200 0100';
  assert.deepEqual(places(`0200 ${int} ${text} ${options} 00 00`), [1, 0]);
});

test('MS-TDS 2.2.5.5.5.2: a table that is NULL has no columns', () => {
  const value = call('ffff 00 00')?.value;
  assert(isPassedTable(value));
  assert.deepEqual([value.width, value.count], [0, 0]);
});

test('MS-TDS 2.2.5.5.5: a table that breaks its form is 4002, and a type that a column cannot have 8009', () => {
  throwsNumber(4002, () => call('0000 00 00'));
  throwsNumber(4002, () => call(`0100 ${int} 05 00`));
  throwsNumber(4002, () => call(`0100 ${int} 00 02 00`));
  throwsNumber(4002, () => call(`0100 ${int} 00 01 04 07000000`));
  throwsNumber(4002, () => call(`0200 ${int} ${int} 11 0200 0100 0100 00 00`));
  throwsNumber(4002, () => call(`0200 ${int} ${int} 11 0200 0100 0300 00 00`));
  throwsNumber(8009, () => call('0100 00000000 0000 f3 00 00 00 00 00'));
});
