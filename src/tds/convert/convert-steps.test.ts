import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { busyMilliseconds } from '../../../test/support/yardstick.ts';
import { SqlError } from '../../base/messages/sql-error.ts';
import { atOnce } from '../../base/threads/steps.ts';
import { collated } from '../types/collated.ts';
import { collationNamed } from '../types/collation-name.ts';
import { binary, char, image, int, nchar, ntext, nvarchar, text, varbinary, varchar, xml } from '../types/index.ts';
import type { AnyType } from '../types/sql-type.ts';
import { type ConvertOptions, convert } from './convert.ts';
import { convertSteps } from './convert-steps.ts';

/** Milliseconds of one step, on a machine that is busy. */
const bound = 40;
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
    { implicit: true, expression: true, verifyLength: true },
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
  const endings = ['', 'b', '\t', '\n', '\u3000', '🌾'];
  const written = ['ab', 'Ж🌾', '12', 'é\u0301'].map((piece) => piece.repeat(long / piece.length + 1));

  for (const from of [nvarchar('max'), varchar('max')])
    test(`of ${from.declaration}`, () =>
      agree(from, [...written, '', `0x${written[2]}`, `0X${written[0]}c`, `${written[2]}x`, '0x', '12']));
  test('of text that goes on with blanks', () =>
    agree(nvarchar('max'), [...endings.map((end) => `a${' '.repeat(long)}${end}`), `0x12${' '.repeat(long)}`]));
  test('of xml', () => agree(xml, [`<a>${written[1]}</a>`, '<a/>']));
  test('of bytes that go on with zeros', () =>
    agree(varbinary('max'), [
      new Uint8Array(long),
      Uint8Array.from({ length: long }, (_, at) => Number(at === 300_000)),
    ]));
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

test('a long value that becomes a short one is not converted as a whole', () => {
  const how = { implicit: false };
  const digits = 'aB'.repeat(20_000_000);
  const cases: readonly [unknown, AnyType, AnyType, ConvertOptions][] = [
    [digits, nvarchar('max'), varbinary(10), { ...how, style: 2 }],
    [`0x${digits}`, nvarchar('max'), varbinary(10), { ...how, style: 1 }],
    [new Uint8Array(30_000_000), varbinary('max'), varchar(10), { ...how, style: 2 }],
    [new Uint8Array(30_000_000), varbinary('max'), varbinary(10), { implicit: true }],
    ['é'.repeat(30_000_000), nvarchar('max'), varchar(10), { implicit: true }],
  ];
  for (const [value, from, to, options] of cases) {
    const work = convertSteps(value, from, to, options);
    let longest = 0;
    for (let isOver = false; !isOver; ) {
      const before = busyMilliseconds();
      outcome(() => {
        isOver = true;
        isOver = work.next().done === true;
      });
      longest = Math.max(longest, busyMilliseconds() - before);
    }
    assert.ok(longest <= bound, `${from.declaration} to ${to.declaration}: ${longest} ms`);
  }
});
