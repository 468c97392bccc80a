import { decodeText } from './collation.ts';
import { doubleBytePage } from './double-byte-page.ts';
import { encodeWindows1252 } from './windows-1252.ts';

const questionMark = 0x3f;
/** Stands for a character that the code page lacks. */
const missing = 0xffff;

/** The code of each character, indexed by code unit if it has only one: a text may have millions of them. */
interface Codes {
  readonly ofUnits: Uint16Array;
  readonly ofPairs: ReadonlyMap<number, number>;
}

/** The byte of each character of a single-byte code page, found by decoding every byte. */
function byteByCharacter(page: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (let byte = 0; byte < 0x100; byte++) {
    const text = decodeText(Uint8Array.of(byte), page);
    if (text !== '\ufffd' && !found.has(text)) found.set(text, byte);
  }
  return found;
}

function makeCodes(page: string): Codes {
  const ofUnits = new Uint16Array(0x10000).fill(missing);
  const ofPairs = new Map<number, number>();
  for (const [character, code] of doubleBytePage(page)?.codes ?? byteByCharacter(page)) {
    if (character.length === 1) ofUnits[character.charCodeAt(0)] = code;
    else ofPairs.set(character.codePointAt(0) ?? 0, code);
  }
  return { ofUnits, ofPairs };
}

const made = new Map<string, Codes>();

function codesOf(page: string): Codes {
  let codes = made.get(page);
  if (codes === undefined) {
    codes = makeCodes(page);
    made.set(page, codes);
  }
  return codes;
}

/** Encodes text in a code page; characters that it lacks become question marks, as in SQL Server. */
export function encodeText(text: string, page: string): Buffer {
  if (page === 'windows-1252') return encodeWindows1252(text);
  if (page === 'utf-8') return Buffer.from(text);
  const { ofUnits, ofPairs } = codesOf(page);
  const bytes = Buffer.allocUnsafe(text.length * 2);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const point = text.codePointAt(at) ?? 0;
    if (point > 0xffff) at++;
    const found = (point > 0xffff ? ofPairs.get(point) : ofUnits[point]) ?? missing;
    const code = found === missing ? questionMark : found;
    if (code > 0xff) bytes[length++] = code >> 8;
    bytes[length++] = code & 0xff;
  }
  return bytes.subarray(0, length);
}
