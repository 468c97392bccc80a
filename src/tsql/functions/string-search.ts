import { sqlError } from '../../base/messages/sql-error.ts';
import { foldSteps } from '../../base/text/collation.ts';
import { ownPart } from '../../base/text/own-part.ts';
import { changedInPieces, textOfUnits, unitsOf } from '../../base/text/text-units.ts';
import type { Steps } from '../../base/threads/steps.ts';
import * as t from '../../tds/types/index.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { placesOf } from '../../values/find-text.ts';
import { loweredSteps, patternSteps, refuseLongPattern } from '../../values/like.ts';
import { refuseHuge } from '../../values/long-value.ts';
import type { FunctionSpec } from '../evaluate/context.ts';
import { count, countType, likeFirst, seeingNulls, stepped, textLike } from './define.ts';

/** The position of a text in another without regard to case, counted from 1. */
function* charIndex(needle: string, hay: string, start: number): Steps<number> {
  if (needle === '') return 0;
  for (const at of placesOf(yield* loweredSteps(hay), needle.toLowerCase(), Math.max(0, start - 1))) {
    if (at !== undefined) return at + 1;
    yield;
  }
  return 0;
}

/** The number of replacements, or characters, between two checks of the clock. */
const between = 1000;

/** Replaces every occurrence without regard to case. */
function* replaceSteps(value: string, find: string, put: string): Steps<string> {
  if (find === '') return value;
  // Where lower case is longer than what it is made of, places in one are none in the other: then case counts.
  const lowered = yield* loweredSteps(value);
  const isSame = lowered.length === value.length;
  const hay = isSame ? lowered : value;
  const needle = isSame ? find.toLowerCase() : find;
  let result = '';
  let pieces: string[] = [];
  let from = 0;
  let length = value.length;
  for (const at of placesOf(hay, needle)) {
    if (at === undefined) {
      yield;
      continue;
    }
    pieces.push(value.slice(from, at), put);
    from = at + needle.length;
    length += put.length - needle.length;
    refuseHuge(length);
    if (pieces.length < between) continue;
    result += pieces.join('');
    pieces = [];
    yield;
  }
  return result + pieces.join('') + ownPart(value, from);
}

/** Puts characters in the place of others; 9828 when there are not as many of both. */
function* translate(value: string, from: string, to: string): Steps<string> {
  if (from.length !== to.length) throw sqlError(9828, 'TRANSLATE');
  // The replacement of each unit plus one; 0 if it stays.
  const table = new Uint32Array(0x10000);
  for (let at = 0; at < from.length; at++) {
    if (at % between === 0) yield;
    if (table[from.charCodeAt(at)] !== 0) continue;
    const character = from.charAt(at);
    for (const form of [character, character.toLowerCase(), character.toUpperCase()])
      if (form.length === 1) table[form.charCodeAt(0)] ||= to.charCodeAt(at) + 1;
  }
  return yield* changedInPieces(value, (piece) => {
    const units = unitsOf(piece);
    for (let at = 0; at < units.length; at++) {
      const by = table[units[at] ?? 0] ?? 0;
      if (by !== 0) units[at] = by - 1;
    }
    return textOfUnits(units);
  });
}

const number = /^[+-]?(?:\d[\d,]*(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Whether a text is a number of some kind: blanks around it, and a sign and a currency before it, count as nothing. */
function isNumeric(text: string): boolean {
  const plain = text.trim();
  const signed = /^[+-]/.test(plain) ? plain.slice(1).trimStart() : plain;
  return number.test(/^[$£€¥]/.test(signed) ? signed.slice(1).trimStart() : signed);
}

function replaceIn([value, find, put]: readonly unknown[], [, type = t.int]: readonly AnyType[]): Steps<string> {
  refuseLongPattern(String(find), type);
  return replaceSteps(String(value), String(find), String(put));
}

function* checksum(values: readonly unknown[]): Steps<number> {
  let sum = 0;
  const add = (unit: number): void => {
    sum = ((sum << 4) | (sum >>> 28)) ^ unit;
  };
  for (const value of values) {
    yield;
    const given = typeof value === 'string' ? yield* foldSteps(value) : value;
    const summed = given instanceof Uint8Array ? given : String(given);
    for (let at = 0; at < summed.length; at++) {
      if (at % between === 0) yield;
      add(typeof summed === 'string' ? summed.charCodeAt(at) : (summed[at] ?? 0));
    }
  }
  return sum | 0;
}

const checksumOf = stepped('any...', t.int, checksum, { nulls: true });

/** The functions that search text. */
export const searchFunctions: Readonly<Record<string, FunctionSpec>> = {
  CHARINDEX: stepped(
    'text, text, int?',
    countType(1),
    function* ([needle, hay, start], [type = t.int, within = t.int]) {
      refuseLongPattern(String(needle), type);
      return count(yield* charIndex(String(needle), String(hay), Number(start ?? 1)), within);
    },
  ),
  PATINDEX: stepped('text, text', countType(1), function* ([pattern, value], [type = t.int, within = t.int]) {
    refuseLongPattern(String(pattern), type);
    return count(yield* patternSteps(String(value), String(pattern)), within);
  }),
  REPLACE: stepped('text, text, text', ([a]) => textLike(a, 8000), replaceIn),
  TRANSLATE: stepped('text, text, text', likeFirst, ([value, from, to]) =>
    translate(String(value), String(from), String(to)),
  ),
  ISNUMERIC: seeingNulls('text', t.int, ([value]) => (value !== null && isNumeric(String(value)) ? 1 : 0)),
  CHECKSUM: checksumOf,
  BINARY_CHECKSUM: checksumOf,
};
