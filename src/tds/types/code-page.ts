import { decodeText } from './collation.ts';
import { doubleBytePage } from './double-byte-page.ts';
import { encodeWindows1252 } from './windows-1252.ts';

const questionMark = [0x3f];

/** The byte of each character of a code page of single bytes; made by decoding every byte. */
function byteByCharacter(page: string): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, readonly number[]>();
  for (let byte = 0; byte < 0x100; byte++) {
    const text = decodeText(Uint8Array.of(byte), page);
    if (text !== '\ufffd' && !found.has(text)) found.set(text, [byte]);
  }
  return found;
}

const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

function tableOf(page: string): ReadonlyMap<string, readonly number[]> {
  let table = tables.get(page);
  if (table === undefined) {
    table = byteByCharacter(page);
    tables.set(page, table);
  }
  return table;
}

/** Text in a code page; what it does not have becomes a question mark, as SQL Server does. */
export function encodeText(text: string, page: string): Buffer {
  if (page === 'windows-1252') return encodeWindows1252(text);
  if (page === 'utf-8') return Buffer.from(text);
  const double = doubleBytePage(page);
  const encode = double ? double.encode : (character: string) => tableOf(page).get(character);
  const bytes = Buffer.allocUnsafe(text.length * 2);
  let length = 0;
  for (const character of text) for (const byte of encode(character) ?? questionMark) bytes[length++] = byte;
  return bytes.subarray(0, length);
}
