import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compare, fold } from './collation.ts';

const pairs: readonly [string, string, boolean][] = [
  ['abc', 'ABC', true],
  ['abc', 'abc   ', true],
  [' abc', 'abc', false],
  ['résumé', 'RÉSUMÉ', true],
  ['resume', 'résumé', false],
  ['ΟΔΟΣ', 'οδοσ', true],
  ['Ａ', 'A', false],
  ['あ', 'ア', false],
  ['', '   ', true],
];

for (const [a, b, equal] of pairs) {
  test(`'${a}' ${equal ? 'equals' : 'differs from'} '${b}'`, () => {
    assert.equal(fold(a) === fold(b), equal);
    assert.equal(compare(a, b) === 0, equal);
  });
}

test('letters sort by the alphabet, not by case', () => {
  assert.deepEqual(['b', 'A', 'a', 'B', 'é', 'e', 'f'].sort(compare).map(fold), ['a', 'a', 'b', 'b', 'e', 'é', 'f']);
});

test('the order agrees with equality and with itself turned round', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      assert.equal(compare(a, b) === 0, fold(a) === fold(b));
      assert.equal(Math.sign(compare(a, b)) + Math.sign(compare(b, a)), 0);
    }),
  );
});
