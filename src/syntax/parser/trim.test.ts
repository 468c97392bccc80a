import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { batch } from '../../../test/support/recorder.ts';
import { openSession } from '../../../test/support/session.ts';

const texts: readonly (readonly [expression: string, value: string | null])[] = [
  ["trim('  a b ')", 'a b'],
  ["trim('.,! ' from '  .#  test  .')", '#  test'],
  ["trim(leading 'x' from 'xxaxx')", 'axx'],
  ["trim(trailing 'x' from 'xxaxx')", 'xxa'],
  ["trim(both 'x' from 'xxaxx')", 'a'],
  ["trim(leading '  a ')", 'a '],
  ["trim(trailing s.v + 'x' from s.v)", ''],
  ['trim(leading from s.v)', 'v'],
  ['trim(leading)', 'L'],
  ["trim(leading + 'x')", 'L x'],
  ["trim(null from 'a')", null],
  ["trim(N'x' from null)", null],
];

describe('TRIM', () => {
  for (const [expression, value] of texts)
    test(`${expression} is ${value}`, async () => {
      const { sets, errors } = await batch(
        await openSession(),
        `select ${expression} from (select ' v' as v, ' L ' as leading) s`,
      );
      assert.deepEqual(errors, []);
      assert.deepEqual(sets[0]?.rows, [[value]]);
    });

  for (const [expression, number] of [
    ['trim()', 174],
    ["trim('a', 'b')", 174],
    ["trim(leading 'a', 'b')", 102],
    ["trim('a' from)", 102],
  ] as const)
    test(`${expression} is error ${number}`, async () => {
      const { errors } = await batch(await openSession(), `select ${expression}`);
      assert.deepEqual(
        errors.map((error) => error.number),
        [number],
      );
    });
});
