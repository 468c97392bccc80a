import { textOfUnits } from '../../base/text/text-units.ts';

/** The characters of 0x80 to 0x9F; the five undefined ones are control characters, as on Windows. */
const upper =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

const byteOf = new Map<number, number>([...upper].map((character, index) => [character.charCodeAt(0), 0x80 + index]));
const questionMark = 0x3f;

/**
 * Encodes text in code page 1252, one byte per UTF-16 code unit; characters that it lacks become question marks, as in
 * SQL Server.
 */
export function encodeWindows1252(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(text.length);
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    const same = unit < 0x80 || (unit >= 0xa0 && unit <= 0xff);
    bytes[index] = same ? unit : (byteOf.get(unit) ?? questionMark);
  }
  return bytes;
}

/** The bytes that differ from Latin-1. */
const differing = /[\x80-\x9f]/;

/** Decodes code page 1252; hand-written because some releases of Node read these bytes as Latin-1. */
export function decodeWindows1252(bytes: Uint8Array): string {
  const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (!differing.test(latin)) return latin;
  const units = new Uint16Array(bytes.length);
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    units[index] = byte >= 0x80 && byte <= 0x9f ? upper.charCodeAt(byte - 0x80) : byte;
  }
  return textOfUnits(units);
}
