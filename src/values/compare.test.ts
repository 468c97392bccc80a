import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { textRules } from '../base/text/collation.ts';
import { atOnce, type Steps } from '../base/threads/steps.ts';
import { bigint, datetime, float, nvarchar, sqlVariant, uniqueidentifier, varbinary } from '../tds/types/index.ts';
import type { AnyType, TypedValue } from '../tds/types/sql-type.ts';
import { compareSteps, compareValues } from './compare.ts';

function counted<T>(work: Steps<T>): { result: T; steps: number } {
  for (let steps = 0; ; steps++) {
    const { done, value } = work.next();
    if (done) return { result: value, steps };
  }
}

// Transact-SQL reference, sql_variant: the hierarchy of families, least to greatest.
test('values of sql_variant of different families: unique identifiers, bytes, texts, exact and approximate numbers, times', () => {
  const ascending: readonly TypedValue[] = [
    { type: uniqueidentifier, value: 'ffffffff-ffff-ffff-ffff-ffffffffffff' },
    { type: varbinary(8), value: Uint8Array.of(255) },
    { type: nvarchar(8), value: 'z' },
    { type: bigint, value: 9n },
    { type: float, value: 1 },
    { type: datetime, value: new Date(0) },
  ];
  for (const [at, one] of ascending.entries()) {
    for (const other of ascending.slice(at + 1)) {
      const names = `${one.type.name}, ${other.type.name}`;
      assert.equal(compareValues(one, other, sqlVariant), -1, names);
      assert.equal(compareValues(other, one, sqlVariant), 1, names);
    }
  }
});

describe('long values are compared in steps', () => {
  const bytes = varbinary('max');
  const zeros = new Uint8Array(30_000_000);
  const longer = new Uint8Array(zeros.length + 1);
  const lastDiffers = Uint8Array.from([...new Uint8Array(99), 1]);
  for (const [what, a, b, order] of [
    ['zeros of different lengths', zeros, longer, 0],
    ['zeros and one zero', zeros, Uint8Array.of(0), 0],
    ['no bytes and zeros', new Uint8Array(), zeros, 0],
    ['zeros and one that is greater far behind', zeros, Buffer.concat([zeros, lastDiffers]), -1],
  ] as const) {
    test(`bytes: ${what}`, () => {
      const { result, steps } = counted(compareSteps(a, b, bytes));
      assert.equal(result, order);
      assert.ok(steps >= 29, `${steps} steps`);
    });
  }

  const text = nvarchar('max');
  const lower = 'ab'.repeat(500_000);
  test('texts that differ in case alone', () => {
    const { result, steps } = counted(compareSteps(lower, lower.toUpperCase(), text));
    assert.equal(result, 0);
    assert.ok(steps >= 100, `${steps} steps`);
  });
  test('texts that are the same up to their ends', () => {
    const { result, steps } = counted(compareSteps(lower, `${lower}a`, text));
    assert.equal(result, -1);
    assert.ok(steps >= 100, `${steps} steps`);
  });
});

describe('the steps come to what comparing at once does', () => {
  const agree = (type: AnyType, values: fc.Arbitrary<unknown>): void =>
    fc.assert(
      fc.property(values, values, (a, b) => {
        assert.equal(atOnce(compareSteps(a, b, type)), compareValues(a, b, type));
      }),
    );
  test('for bytes', () => agree(varbinary('max'), fc.uint8Array({ max: 1 })));
  test('for text', () =>
    agree(nvarchar('max'), fc.string({ unit: fc.constantFrom('a', 'A', 'é', ' '), maxLength: 600 })));
  test('for text under another collation', () => {
    const { compare, compareSteps: steps } = textRules({ caseSensitive: true, accentSensitive: false });
    fc.assert(fc.property(fc.string(), fc.string(), (a, b) => assert.equal(atOnce(steps(a, b)), compare(a, b))));
  });
});
