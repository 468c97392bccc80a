import { bytePiecesOf } from '../../base/memory/byte-pieces.ts';
import { withoutTrailingBlanks } from '../../base/text/collation.ts';
import { piecesOf } from '../../base/text/text-units.ts';
import type { Steps } from '../../base/threads/steps.ts';
import { ownPage } from '../types/code-page-text.ts';
import { doubleBytePage } from '../types/double-byte-page.ts';
import type { AnyType } from '../types/sql-type.ts';
import { type ConvertOptions, convert, xmlSteps } from './convert.ts';
import { familyOf, isUnicode } from './families.ts';
import { charactersOf } from './to-text.ts';

/** The number of digits checked at once. */
const pieceLength = 500_000;

/** Converts a long value in steps: text and bytes piece by piece, a document while it is parsed. */
export function* convertSteps(value: unknown, from: AnyType, to: AnyType, options: ConvertOptions): Steps<unknown> {
  if (to.name === 'xml') return yield* xmlSteps(value, from, to, options);
  if (roomIn(to) < Number.POSITIVE_INFINITY) return convert(yield* beginning(value, to, options), from, to, options);
  const isWritten = typeof value === 'string' && value !== '';
  const isTextFrom = familyOf(from.name) === 'text' && isWritten;
  const isBytesFrom = familyOf(from.name) === 'bytes' && value instanceof Uint8Array && value.length > 0;
  const target = familyOf(to.name);
  const digits = { ...options, style: 2 };
  const isPaged = isWritten && (isTextFrom || from.name === 'xml') && !isUnicode(to.name); // Unicode stays as it is
  if (target === 'text' && isPaged) return yield* asText(piecesOf(value), from, to, options);
  if (target === 'text' && isBytesFrom && options.style === 1)
    return `0x${yield* asText(bytePiecesOf(value), from, to, digits)}`;
  if (target === 'text' && isBytesFrom && isCutAnywhere(to, options))
    return yield* asText(bytePiecesOf(value), from, to, options);
  if (target === 'bytes' && isTextFrom) {
    if (options.style !== 1) return yield* asBytes(piecesOf(value), from, to, options);
    if (/^0x./i.test(value)) return yield* asBytes(piecesOf(value.slice(2)), from, to, digits);
  }
  return convert(value, from, to, options);
}

/** The number of characters or bytes that a type holds. */
const roomIn = (type: AnyType): number =>
  familyOf(type.name) === 'bytes' && type.maxLength >= 0 && type.name !== 'image' ? type.maxLength : charactersOf(type);

/**
 * The part of a value that decides about its conversion to a short one, whose end is cut off or may only be blanks: a
 * character has at most four bytes, or one UTF-16 surrogate pair.
 */
function* beginning(value: unknown, to: AnyType, options: ConvertOptions): Steps<unknown> {
  const { implicit, expression, verifyLength, style } = options;
  const isCut = !(verifyLength ?? !(expression ?? !implicit));
  const target = familyOf(to.name);
  const most = 4 * (roomIn(to) + 1);
  if (target !== 'text' && target !== 'bytes') return value;
  if (value instanceof Uint8Array) return isCut ? value.subarray(0, most) : value;
  if (typeof value !== 'string') return value;
  if (target === 'text') return isCut ? value.slice(0, most) : withoutBlanks(value, most);
  const isWritten = style === 1 || style === 2;
  return isCut && (!isWritten || (yield* areDigits(value, style))) ? value.slice(0, most) : value;
}

/**
 * A text that is refused exactly if the whole would be: whatever follows its beginning and is not blank becomes its
 * last character.
 */
function withoutBlanks(text: string, most: number): string {
  const end = withoutTrailingBlanks(text.slice(most));
  return text.slice(0, most) + end.slice(-1);
}

/** True for complete bytes in hexadecimal digits: the part that is cut off must be valid too. */
function* areDigits(text: string, style: 1 | 2): Steps<boolean> {
  if (text.length % 2 !== 0 || (style === 1 && !/^0x/i.test(text))) return false;
  for (let at = style === 1 ? 2 : 0; at < text.length; at += pieceLength) {
    if (!/^[0-9a-f]*$/i.test(text.slice(at, at + pieceLength))) return false;
    yield;
  }
  return true;
}

/** True if bytes can be converted to text piece by piece, because no character crosses the end of a piece. */
function isCutAnywhere(to: AnyType, { style }: ConvertOptions): boolean {
  const page = to.collation?.page ?? ownPage;
  return style === 2 || isUnicode(to.name) || (page !== 'utf-8' && doubleBytePage(page) === undefined);
}

function* asText(pieces: Iterable<unknown>, from: AnyType, to: AnyType, options: ConvertOptions): Steps<string> {
  let text = '';
  for (const piece of pieces) {
    text += String(convert(piece, from, to, options));
    yield;
  }
  return text;
}

function* asBytes(pieces: Iterable<unknown>, from: AnyType, to: AnyType, options: ConvertOptions): Steps<Uint8Array> {
  const made: Uint8Array[] = [];
  for (const piece of pieces) {
    // The target is a binary type.
    made.push(convert(piece, from, to, options) as Uint8Array);
    yield;
  }
  const bytes = new Uint8Array(made.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of made) {
    bytes.set(piece, at);
    at += piece.length;
    yield;
  }
  return bytes;
}
