import assert from 'node:assert/strict';
import { test } from 'node:test';
import { busyMilliseconds, slowness } from '../../../test/support/yardstick.ts';
import { tokenize } from './tokenize.ts';

const kinds = (text: string) => tokenize(text).map(({ kind, text: value }) => `${kind}:${value}`);

test('tells words, names, variables, constants and symbols apart', () => {
  assert.deepEqual(kinds("select [a]]b], \"c\" N'd''e' 0x1F 1 1.5 .5 1e3 $2.50 @v @@spid #t <> a.b"), [
    'word:select',
    'identifier:a]b',
    'symbol:,',
    'identifier:c',
    "nstring:d'e",
    'binary:0x1F',
    'integer:1',
    'decimal:1.5',
    'decimal:.5',
    'float:1e3',
    'money:$2.50',
    'variable:@v',
    'global:@@spid',
    'word:#t',
    'symbol:<>',
    'word:a',
    'symbol:.',
    'word:b',
    'end:',
  ]);
});

test('skips comments, nested ones too, and counts lines through them', () => {
  const tokens = tokenize('-- one\n/* two /* three\n */ */ select\n1');
  assert.deepEqual(
    tokens.map(({ text, line }) => [text, line]),
    [
      ['select', 3],
      ['1', 4],
      ['', 4],
    ],
  );
});

test('reads double quotes as text when QUOTED_IDENTIFIER is off', () => {
  assert.equal(tokenize('"a"', false)[0]?.kind, 'string');
});

test('answers an unclosed quote with 105, an unclosed comment with 113, a stray character with 102', () => {
  assert.throws(() => tokenize("select 'abc"), { number: 105, line: 1 });
  assert.throws(() => tokenize('select 1\n/* /* */'), { number: 113, line: 2 });
  assert.throws(() => tokenize('select `'), { number: 102 });
});

test('reads a million tokens on one line about as fast as on a line each', () => {
  const timed = (text: string) => {
    const start = busyMilliseconds();
    assert.equal(tokenize(text).length, 1_000_001);
    return busyMilliseconds() - start;
  };
  const lineEach = timed('a\n'.repeat(1_000_000));
  const oneLine = timed('a '.repeat(1_000_000));
  // A search for the end of the line at every token took 25 times as long.
  assert.ok(oneLine < 8 * lineEach, `${oneLine} ms against ${lineEach} ms`);
});

test('reads millions of doubled quotes, inner comments and empty lines in a time that nobody notices', () => {
  const count = 3_000_000;
  const quoted = tokenize(`select N'${"''".repeat(count)}é\u{1f33e}\ud800'`)[1];
  assert.equal(quoted?.text, `${"'".repeat(count)}é\u{1f33e}\ud800`);
  const used = (text: string) => {
    const before = busyMilliseconds();
    const tokens = tokenize(text);
    return { tokens, milliseconds: busyMilliseconds() - before };
  };
  // What took no longer before: a text of as many characters without anything in it.
  const plain = used(`select N'${'x'.repeat(2 * count)}'`).milliseconds;
  for (const nasty of [
    `N'${"''".repeat(count)}'`,
    `/*${'/**/'.repeat(count / 2)}*/ 1`,
    `${'\n'.repeat(2 * count)} 1`,
  ]) {
    const { tokens, milliseconds } = used(`select ${nasty}`);
    assert.equal(tokens.length, 3);
    assert.ok(milliseconds < (plain + 150) * slowness(), `${milliseconds} ms, a plain text ${plain} ms`);
  }
  assert.equal(tokenize(`${'\n'.repeat(count)} select`)[0]?.line, count + 1);
});

test('answers a name of millions of letters with 103, and millions of lines of bytes with an error of T-SQL', () => {
  const count = 20_000_000;
  for (const [text, number] of [
    ['a'.repeat(count), 103],
    [`@${'a'.repeat(count)}`, 103],
    [`0x${'\\\n'.repeat(count / 2)}`, 102],
  ] as const)
    assert.throws(() => tokenize(text), { name: 'SqlError', number });
});
