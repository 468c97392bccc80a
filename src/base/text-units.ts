import type { Steps } from './steps.ts';

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Text from UTF-16 units, without a string for each of them. */
export function textOfUnits(units: Uint16Array): string {
  const bytes = Buffer.from(units.buffer, units.byteOffset, units.byteLength);
  return (isLittleEndian ? bytes : Buffer.from(bytes).swap16()).toString('utf16le');
}

/** Characters of a piece of a long text: what is done with one takes a few milliseconds. */
const pieceLength = 500_000;

/** As many marks as may follow a letter before they are taken apart from it. */
const mostMarks = 64;
const mark = /\p{M}/u;

/** A text in pieces, none of which ends between the two halves of a character, or a letter and its marks. */
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

/** What a change makes of a long text, piece by piece, so that others have their turn in between; behind a beginning. */
export function* changedInPieces(text: string, change: (piece: string) => string, start = ''): Steps<string> {
  if (text.length <= pieceLength) return start + change(text);
  let changed = start;
  for (const piece of piecesOf(text)) {
    changed += change(piece);
    yield;
  }
  return changed;
}

/** The UTF-16 units of a text. */
export function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  return units;
}
