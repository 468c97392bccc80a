const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Text from UTF-16 units, without a string for each of them. */
export function textOfUnits(units: Uint16Array): string {
  const bytes = Buffer.from(units.buffer, units.byteOffset, units.byteLength);
  return (isLittleEndian ? bytes : Buffer.from(bytes).swap16()).toString('utf16le');
}

/** Characters of a piece of a long text: what is done with one takes a few milliseconds. */
const pieceLength = 500_000;

/** A text in pieces, none of which ends between the two halves of a character. */
export function* piecesOf(text: string): Generator<string, void> {
  for (let start = 0; start < text.length; ) {
    const end = start + pieceLength;
    const isHalf = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
    yield text.slice(start, isHalf ? end + 1 : end);
    start = isHalf ? end + 1 : end;
  }
}

/** The UTF-16 units of a text. */
export function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  return units;
}
