import { fold } from '../../base/collation.ts';
import * as t from '../../tds/types/index.ts';
import type { FunctionSpec } from '../evaluate/context.ts';
import { patternIndex } from '../values/like.ts';
import { simple, textLike } from './define.ts';

/** Where a text stands in another without regard to case, counted from 1. */
function charIndex(needle: string, hay: string, start: number): number {
  if (needle === '') return 0;
  return hay.toLowerCase().indexOf(needle.toLowerCase(), Math.max(0, start - 1)) + 1;
}

/** Replaces every occurrence without regard to case. */
function replace(value: string, find: string, put: string): string {
  if (find === '') return value;
  const low = value.toLowerCase();
  const wanted = find.toLowerCase();
  if (low.length !== value.length) return value.replaceAll(find, () => put);
  let result = '';
  let from = 0;
  for (let at = low.indexOf(wanted); at >= 0; at = low.indexOf(wanted, from)) {
    result += value.slice(from, at) + put;
    from = at + wanted.length;
  }
  return result + value.slice(from);
}

function translate(value: string, from: string, to: string): string {
  const table = new Map([...from].map((character, index) => [character.toLowerCase(), [...to][index] ?? '']));
  return [...value].map((character) => table.get(character.toLowerCase()) ?? character).join('');
}

/** The functions that look for text in text. */
export const searchFunctions: Readonly<Record<string, FunctionSpec>> = {
  CHARINDEX: simple({
    args: ['text', 'text', t.int],
    optional: 1,
    returns: t.int,
    apply: ([needle, hay, start]) => charIndex(String(needle), String(hay), Number(start ?? 1)),
  }),
  PATINDEX: simple({
    args: ['text', 'text'],
    returns: t.int,
    apply: ([pattern, value]) => patternIndex(String(value), String(pattern)),
  }),
  REPLACE: simple({
    args: ['text', 'text', 'text'],
    returns: ([a]) => textLike(a, 8000),
    apply: ([value, find, put]) => replace(String(value), String(find), String(put)),
  }),
  TRANSLATE: simple({
    args: ['text', 'text', 'text'],
    returns: ([a]) => textLike(a),
    apply: ([value, from, to]) => translate(String(value), String(from), String(to)),
  }),
  ISNUMERIC: simple({
    args: ['text'],
    nulls: true,
    returns: t.int,
    apply: ([value]) =>
      value !== null && /^\s*[+-]?\s*[$£€¥]?\s*[+-]?(\d[\d,]*\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(String(value))
        ? 1
        : 0,
  }),
  CHECKSUM: simple({ args: ['any'], rest: true, nulls: true, returns: t.int, apply: (values) => checksum(values) }),
  BINARY_CHECKSUM: simple({
    args: ['any'],
    rest: true,
    nulls: true,
    returns: t.int,
    apply: (values) => checksum(values),
  }),
};

function checksum(values: readonly unknown[]): number {
  let sum = 0;
  for (const value of values) {
    for (const character of typeof value === 'string' ? fold(value) : String(value))
      sum = ((sum << 4) | (sum >>> 28)) ^ (character.codePointAt(0) ?? 0);
  }
  return sum | 0;
}
