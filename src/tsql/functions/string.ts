import { sqlError } from '../../base/messages/sql-error.ts';
import { mostCharacters } from '../../base/text/most-characters.ts';
import { ownBytes, ownPart } from '../../base/text/own-part.ts';
import { changedInPieces, piecesOf, textOfUnits, unitsOf } from '../../base/text/text-units.ts';
import type { Steps } from '../../base/threads/steps.ts';
import { convert } from '../../tds/convert/convert.ts';
import { familyOf, isUnicode } from '../../tds/convert/families.ts';
import { charactersOf } from '../../tds/convert/to-text.ts';
import { encodeText } from '../../tds/types/code-page.ts';
import { decodeText } from '../../tds/types/collation.ts';
import * as t from '../../tds/types/index.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { encodeWindows1252 } from '../../tds/types/windows-1252.ts';
import { refuseHuge } from '../../values/long-value.ts';
import { textOf } from '../../values/precedence.ts';
import type { FunctionSpec } from '../evaluate/context.ts';
import { count, countType, likeFirst, seeingNulls, simple, stepped, textLike } from './define.ts';

const inPieces = (change: (piece: string) => string): FunctionSpec =>
  stepped('text', likeFirst, ([value]) => changedInPieces(String(value), change));

/** How many bytes a text has in a code page. */
function* bytesIn(text: string, page: string): Steps<number> {
  let bytes = 0;
  for (const piece of piecesOf(text)) {
    bytes += encodeText(piece, page).length;
    yield;
  }
  return bytes;
}

/** The storage size of a value in bytes. */
function* dataLength(value: unknown, type: AnyType): Steps<number> {
  switch (familyOf(type.name)) {
    case 'text':
      if (isUnicode(type.name)) return String(value).length * 2;
      return type.collation === undefined ? String(value).length : yield* bytesIn(String(value), type.collation.page);
    case 'xml':
      return String(value).length * 2;
    case 'bytes':
      return (value as Uint8Array).length;
    case 'variant': {
      const inner = value as { value: unknown; type: AnyType };
      return yield* dataLength(inner.value, inner.type);
    }
    default:
      return type.maxLength;
  }
}

function substring(value: unknown, start: number, length: number, type: AnyType): unknown {
  if (length < 0) throw sqlError(537);
  const from = Math.max(0, start - 1);
  const to = Math.max(from, start - 1 + length);
  return familyOf(type.name) === 'bytes'
    ? ownBytes((value as Uint8Array).subarray(from, to)) // a binary argument
    : ownPart(String(value), from, to);
}

function cut(value: unknown, length: unknown, side: 'LEFT' | 'RIGHT'): string {
  const count = Number(length);
  if (count < 0) throw side === 'LEFT' ? sqlError(537) : sqlError(536, 'right');
  const string = String(value);
  return side === 'LEFT' ? ownPart(string, 0, count) : ownPart(string, Math.max(0, string.length - count));
}

function repeat(value: unknown, times: unknown, type: AnyType): string | null {
  const count = Number(times);
  if (count < 0) return null;
  const isMax = charactersOf(type) === Number.POSITIVE_INFINITY;
  const string = String(value);
  if (isMax) refuseHuge(string.length * count);
  const most = isMax ? mostCharacters : isUnicode(type.name) ? 4000 : 8000;
  return string.repeat(Math.min(count, Math.ceil(most / Math.max(1, string.length)))).slice(0, most);
}

function stuff(value: unknown, start: unknown, length: unknown, insert: unknown): string | null {
  const string = String(value);
  const from = Number(start);
  const count = Number(length);
  if (from < 1 || from > string.length || count < 0) return null;
  refuseHuge(string.length + (insert === null ? 0 : String(insert).length));
  return `${ownPart(string, 0, from - 1)}${insert === null ? '' : String(insert)}${ownPart(string, from - 1 + count)}`;
}

/** STR: a number right-aligned in a width, asterisks if it does not fit. */
function str(value: unknown, width: unknown, decimals: unknown): string | null {
  const length = Number(width ?? 10);
  if (length < 0 || length > 8000 || Number(decimals ?? 0) < 0) return null;
  const places = Math.min(16, Number(decimals ?? 0));
  const whole = Number(value).toFixed(places);
  const room = length - (whole.split('.')[0]?.length ?? 0) - 1;
  const shown = whole.length <= length ? whole : Number(value).toFixed(Math.max(0, Math.min(places, room)));
  return shown.length > length ? '*'.repeat(length) : shown.padStart(length);
}

const quotes: ReadonlyMap<string, readonly [string, string]> = new Map(
  ['[]', "''", '""', '()', '<>', '{}', '``'].flatMap(([open = '', close = '']) => [
    [open, [open, close]],
    [close, [open, close]],
  ]),
);

function quoteName(name: unknown, quote: unknown): string | null {
  const pair = quotes.get(String(quote ?? '[').slice(0, 1));
  const string = String(name);
  return pair === undefined || string.length > 128
    ? null
    : `${pair[0]}${string.replaceAll(pair[1], pair[1] + pair[1])}${pair[1]}`;
}

/** Any value as CONCAT takes it: NULL is empty. */
const asString = (value: unknown, type: AnyType): string =>
  value === null ? '' : String(convert(value, type, t.nvarchar('max'), { implicit: false }));

const concatType = (args: readonly { type: AnyType }[]): AnyType => {
  const unicode = args.some(({ type }) => isUnicode(type.name));
  const isMax = args.some(
    ({ type }) => familyOf(type.name) === 'text' && charactersOf(type) === Number.POSITIVE_INFINITY,
  );
  return textOf(unicode, isMax ? Number.POSITIVE_INFINITY : unicode ? 4000 : 8000);
};

/** Characters or bytes that are processed before others may get their turn. */
const lookedAt = 1_000_000;

function* trimCharacters(value: string, set: string, start: boolean, end: boolean): Steps<string> {
  const wanted = new Set<number>();
  for (let at = 0; at < set.length; at++) wanted.add(set.charCodeAt(at));
  let from = 0;
  let to = value.length;
  while (start && from < to && wanted.has(value.charCodeAt(from))) if (++from % lookedAt === 0) yield;
  while (end && to > from && wanted.has(value.charCodeAt(to - 1))) if (--to % lookedAt === 0) yield;
  return ownPart(value, from, to);
}

/** The characters from last to first; the two halves of one outside the basic plane keep their order. */
function reversed(text: string): string {
  const units = unitsOf(text).reverse();
  for (let at = 0; at + 1 < units.length; at++) {
    const [low = 0, high = 0] = [units[at], units[at + 1]];
    if ((low & 0xfc00) !== 0xdc00 || (high & 0xfc00) !== 0xd800) continue;
    units[at++] = high;
    units[at] = low;
  }
  return textOfUnits(units);
}

/** Concatenated texts; 701 if the result is too long for memory. */
function joined(texts: readonly string[], separator = ''): string {
  refuseHuge(texts.reduce((sum, { length }) => sum + length + separator.length, 0));
  return texts.join(separator);
}

/** The codes of the letters A to Z; 0 for those that have none. */
const soundCodes = '01230120022455012623010202';

/** SOUNDEX by the letters' codes; vowels part equal codes, h and w do not. */
function* soundex(value: string): Steps<string> {
  let last = '';
  let result = '';
  for (let at = 0; at < value.length && result.length < 4; at++) {
    if (at % lookedAt === lookedAt - 1) yield;
    const letter = (value.charCodeAt(at) | 0x20) - 0x61;
    const code = soundCodes[letter];
    if (code === undefined || value.charCodeAt(at) < 0x41) break;
    if (at === 0) result = value.charAt(0).toUpperCase();
    else if (code !== '0' && code !== last) result += code;
    if (letter !== 7 && letter !== 22) last = code;
  }
  return result.padEnd(4, '0');
}

function* difference(a: string, b: string): Steps<number> {
  const [one, other] = [yield* soundex(a), yield* soundex(b)];
  return [...one].filter((letter, at) => letter === other[at]).length;
}

/** What LEN counts: characters, or bytes, without the blanks at the end. */
function* lengthOf(value: unknown, type: AnyType): Steps<number> {
  const bytes = value instanceof Uint8Array ? value : undefined;
  const text = bytes === undefined ? String(convert(value, type, t.nvarchar('max'), { implicit: false })) : '';
  let end = bytes?.length ?? text.length;
  while (end > 0 && (bytes?.[end - 1] ?? text.charCodeAt(end - 1)) === blank) if (--end % lookedAt === 0) yield;
  return end;
}
const blank = 0x20;

/** The functions on text. */
export const stringFunctions: Readonly<Record<string, FunctionSpec>> = {
  LEN: stepped('any', countType(0), function* ([value], [type = t.int]) {
    return count(yield* lengthOf(value, type), type);
  }),
  DATALENGTH: stepped('any', countType(0), function* ([value], [type = t.int]) {
    return count(yield* dataLength(value, type), type);
  }),
  SUBSTRING: simple(
    'any, int, int',
    ([a]) =>
      a !== undefined && familyOf(a.type.name) === 'bytes'
        ? t.varbinary(a.type.maxLength < 0 ? 'max' : 8000)
        : textLike(a),
    ([value, start, length], _, [type]) => substring(value, Number(start), Number(length), type ?? t.varchar(1)),
  ),
  LEFT: simple('text, int', likeFirst, ([value, length]) => cut(value, length, 'LEFT')),
  RIGHT: simple('text, int', likeFirst, ([value, length]) => cut(value, length, 'RIGHT')),
  UPPER: inPieces((piece) => piece.toUpperCase()),
  LOWER: inPieces((piece) => piece.toLowerCase()),
  LTRIM: stepped('text, text?', likeFirst, ([value, set]) =>
    trimCharacters(String(value), String(set ?? ' '), true, false),
  ),
  RTRIM: stepped('text, text?', likeFirst, ([value, set]) =>
    trimCharacters(String(value), String(set ?? ' '), false, true),
  ),
  TRIM: stepped('text', likeFirst, ([value]) => trimCharacters(String(value), ' ', true, true)),
  REVERSE: stepped('text', likeFirst, function* ([value]) {
    const pieces: string[] = [];
    for (const piece of piecesOf(String(value))) {
      pieces.push(reversed(piece));
      yield;
    }
    return pieces.reverse().join('');
  }),
  REPLICATE: simple(
    'text, int',
    ([a]) => textLike(a, 8000),
    ([value, times], _, [type]) => repeat(value, times, type ?? t.varchar(1)),
  ),
  SPACE: simple('int', t.varchar(8000), ([count]) => repeat(' ', count, t.varchar(8000))),
  STUFF: seeingNulls(
    'text, int, int, text',
    ([a]) => textLike(a, 8000),
    ([value, start, length, insert]) =>
      value === null || start === null || length === null ? null : stuff(value, start, length, insert),
  ),
  STR: simple('float, int?, int?', t.varchar(8000), ([value, width, decimals]) => str(value, width, decimals)),
  CHAR: simple('int', t.char(1), ([code]) =>
    Number(code) < 0 || Number(code) > 255 ? null : decodeText(Uint8Array.of(Number(code)), 'windows-1252'),
  ),
  NCHAR: simple('int', t.nchar(1), ([code]) =>
    Number(code) < 0 || Number(code) > 65_535 ? null : String.fromCharCode(Number(code)),
  ),
  ASCII: simple('text', t.int, ([value]) => encodeWindows1252(String(value).slice(0, 1))[0] ?? null),
  UNICODE: simple('text', t.int, ([value]) => (value === '' ? null : String(value).charCodeAt(0))),
  CONCAT: seeingNulls('any, any...', concatType, (values, _, types) =>
    joined(values.map((value, index) => asString(value, types[index] ?? t.int))),
  ),
  CONCAT_WS: seeingNulls('any, any, any?...', concatType, ([separator, ...values], _, [first = t.int, ...types]) =>
    joined(
      values.flatMap((value, index) => (value === null ? [] : [asString(value, types[index] ?? t.int)])),
      asString(separator, first),
    ),
  ),
  QUOTENAME: simple('text, text?', t.nvarchar(258), ([name, quote]) => quoteName(name, quote)),
  SOUNDEX: stepped('text', t.varchar(4), ([value]) => soundex(String(value))),
  DIFFERENCE: stepped('text, text', t.int, ([a, b]) => difference(String(a), String(b))),
};
