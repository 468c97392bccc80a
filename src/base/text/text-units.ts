import type { Steps } from '../threads/steps.ts';

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Creates text from UTF-16 code units, without a string for each of them. */
export function textOfUnits(units: Uint16Array): string {
  const bytes = Buffer.from(units.buffer, units.byteOffset, units.byteLength);
  return (isLittleEndian ? bytes : Buffer.from(bytes).swap16()).toString('utf16le');
}

/** The number of characters in a piece of a long text, which takes a few milliseconds to process. */
const pieceLength = 500_000;

/** The maximum number of marks that are kept together with their letter. */
const mostMarks = 64;
const mark = /\p{M}/u;

/**
 * Splits text into pieces, none of which ends between the halves of a surrogate pair, or between a letter and its
 * marks.
 */
export function* piecesOf(text: string): Generator<string, void> {
  for (let start = 0; start < text.length; ) {
    const wanted = start + pieceLength;
    let end = wanted;
    while (end < wanted + mostMarks && mark.test(text.charAt(end))) end++;
    const isHalf = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(end) & 0xfc00) === 0xdc00;
    if (isHalf) end++;
    yield text.slice(start, end);
    start = end;
  }
}

/** Transforms a long text piece by piece, in steps; `start` precedes the result. */
export function* changedInPieces(text: string, change: (piece: string) => string, start = ''): Steps<string> {
  if (text.length <= pieceLength) return start + change(text);
  let changed = start;
  for (const piece of piecesOf(text)) {
    changed += change(piece);
    yield;
  }
  return changed;
}

/** The UTF-16 code units of a text. */
export function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  return units;
}
