import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { busyMilliseconds } from '../../../test/support/yardstick.ts';
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
  ['straße', 'STRASSE', true],
  ['straße', 'strase', false],
  ['Æsir', 'aesir', true],
  ['œuvre', 'OEUVRE', true],
  ['Þing', 'thing', true],
  ['ﬁn', 'FIN', true],
  ['re\u0301sume\u0301', 'Résumé', true],
  ['o\u0323\u0302', 'ộ', true],
  ['co\u00adop', 'coop', true],
  ['a\u200bb\ufeff', 'ab', true],
  ['a \u00ad', 'a', true],
  ['a\tb', 'ab', false],
  ['co-op', 'coop', false],
  ['🌾', '', false],
];

for (const [a, b, equal] of pairs) {
  test(`'${a}' ${equal ? 'equals' : 'differs from'} '${b}'`, () => {
    assert.equal(fold(a) === fold(b), equal);
    assert.equal(compare(a, b) === 0, equal);
  });
}

test('a fold is its own fold, whatever the text', () => {
  const bits = fc.constantFrom(
    'a',
    'Æ',
    'ß',
    'ẞ',
    '\u0301',
    '\u0323',
    '\u00ad',
    ' ',
    'ς',
    'Σ',
    'ﬃ',
    'İ',
    '\ud83c',
    '中',
  );
  fc.assert(
    fc.property(fc.array(bits, { maxLength: 12 }), (pieces) => {
      const folded = fold(pieces.join(''));
      assert.equal(fold(folded), folded);
    }),
  );
});

test('a text of many accents in a row is folded in time that grows with its length', () => {
  const began = busyMilliseconds();
  fold(`e${'\u0323\u0301'.repeat(500_000)}`);
  assert.ok(busyMilliseconds() - began < 5000);
});

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
