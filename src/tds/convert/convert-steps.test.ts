import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { SqlError } from '../../base/sql-error.ts';
import { atOnce } from '../../base/steps.ts';
import { collated } from '../types/collated.ts';
import { collationNamed } from '../types/collation-name.ts';
import { binary, char, image, int, nchar, ntext, nvarchar, text, varbinary, varchar } from '../types/index.ts';
import type { AnyType } from '../types/sql-type.ts';
import { type ConvertOptions, convert } from './convert.ts';
import { convertSteps } from './convert-steps.ts';

const japanese = collationNamed('Japanese_CI_AS');
const texts: readonly AnyType[] = [
  nvarchar('max'),
  varchar('max'),
  nvarchar(20),
  varchar(20),
  char(9),
  nchar(9),
  text,
  ntext,
  ...(japanese === undefined ? [] : [collated(varchar('max'), japanese)]),
];
const bytes: readonly AnyType[] = [varbinary('max'), varbinary(20), binary(9), image];

function outcome(make: () => unknown): unknown {
  try {
    const value = make();
    return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    return [error.number, error.message];
  }
}

describe('a conversion in steps comes to what one at once does', () => {
  const hows: readonly ConvertOptions[] = [
    { implicit: false },
    { implicit: true },
    { implicit: true, expression: true },
    { implicit: false, style: 1 },
    { implicit: false, style: 2 },
  ];
  const agree = (from: AnyType, values: readonly unknown[]): void => {
    for (const to of [...texts, ...bytes, int])
      for (const how of hows)
        for (const value of values)
          assert.deepEqual(
            outcome(() => atOnce(convertSteps(value, from, to, how))),
            outcome(() => convert(value, from, to, how)),
            `${from.declaration} to ${to.declaration} ${JSON.stringify(how)}`,
          );
  };
  const long = 500_001;
  const written = ['ab', 'Ж🌾', '12', 'é\u0301'].map((piece) => piece.repeat(long / piece.length + 1));

  for (const from of [nvarchar('max'), varchar('max')])
    test(`of ${from.declaration}`, () =>
      agree(from, [...written, '', `0x${written[2]}`, `0X${written[0]}c`, '0x', '12']));
  test('of varbinary(max)', () =>
    agree(varbinary('max'), [new Uint8Array(), ...written.map((each) => new Uint8Array(Buffer.from(each)))]));
  test('of short texts and bytes', () => {
    fc.assert(
      fc.property(fc.string(), (value) => agree(nvarchar('max'), [value])),
      { numRuns: 30 },
    );
    fc.assert(
      fc.property(fc.uint8Array(), (value) => agree(varbinary('max'), [value])),
      { numRuns: 30 },
    );
  });
});
