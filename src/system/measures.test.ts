import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  bigint,
  bit,
  char,
  date,
  datetime,
  datetime2,
  decimal,
  float,
  image,
  int,
  money,
  ntext,
  nvarchar,
  rowversion,
  sqlVariant,
  time,
  tinyint,
  uniqueidentifier,
  varbinary,
  xml,
} from '../tds/types/index.ts';
import type { AnyType } from '../tds/types/sql-type.ts';
import { measure } from './measures.ts';

/**
 * What SQL Server's sp_columns_100 answers: DATA_TYPE, PRECISION, LENGTH, SCALE, RADIX, SQL_DATA_TYPE, _SUB, octets.
 */
const rows: readonly (readonly [AnyType, ...(number | null)[]])[] = [
  [bigint, -5, 19, 8, 0, 10, -5, null, null],
  [int, 4, 10, 4, 0, 10, 4, null, null],
  [tinyint, -6, 3, 1, 0, 10, -6, null, null],
  [bit, -7, 1, 1, null, null, -7, null, null],
  [decimal(13, 3), 3, 13, 15, 3, 10, 3, null, null],
  [money, 3, 19, 21, 4, 10, 3, null, null],
  [float, 6, 53, 8, null, 2, 6, null, null],
  [datetime, 93, 23, 16, 3, null, 9, 3, null],
  [datetime2(5), 93, 25, 16, 5, null, 9, 3, null],
  [date, 91, 10, 6, 0, null, 9, 1, null],
  [time(5), -154, 14, 12, 5, null, -154, 0, null],
  [char(10), 1, 10, 10, null, null, 1, null, 10],
  [nvarchar(8), -9, 8, 16, null, null, -9, null, 16],
  [nvarchar('max'), -9, 0, 0, null, null, -9, null, 0],
  [ntext, -10, 1073741823, 2147483646, null, null, -10, null, 2147483646],
  [varbinary(10), -3, 10, 10, null, null, -3, null, 10],
  [image, -4, 2147483647, 2147483647, null, null, -4, null, 2147483647],
  [rowversion, -2, 8, 8, null, null, -2, null, 8],
  [uniqueidentifier, -11, 36, 16, null, null, -11, null, null],
  [xml, -152, 0, 0, null, null, -152, null, 0],
  [sqlVariant, -150, 0, 8000, null, 10, -150, null, 8000],
];

describe('how ODBC measures types', () => {
  for (const [type, ...expected] of rows) {
    test(`${type.declaration} for a client of SQL Server 2008`, () => {
      const found = measure(type, { version: 3, modern: true });
      const { dataType, precision, length, scale, radix, sqlDataType, datetimeSub, octets } = found;
      assert.deepEqual([dataType, precision, length, scale, radix, sqlDataType, datetimeSub, octets], expected);
    });
  }

  test('ODBC 2 has its own numbers for dates', () => {
    assert.equal(measure(datetime, { version: 2, modern: true }).dataType, 11);
    assert.equal(measure(date, { version: 2, modern: true }).dataType, 9);
    assert.equal(measure(int, { version: 2, modern: true }).dataType, 4);
  });

  test('older clients see the types of SQL Server 2008 as text', () => {
    const { dataType, length, sqlDataType } = measure(datetime2(7), { version: 3, modern: false });
    assert.deepEqual([dataType, length, sqlDataType], [-9, 54, -9]);
  });
});
