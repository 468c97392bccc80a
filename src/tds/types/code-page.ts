import { decodeText } from './collation.ts';
import { encodeWindows1252 } from './windows-1252.ts';

const questionMark = 0x3f;

/** The bytes of each character of a code page; made by decoding every byte, or pair of bytes, that it has. */
function bytesByCharacter(page: string): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, readonly number[]>();
  const note = (bytes: readonly number[]): void => {
    const text = decodeText(Uint8Array.from(bytes), page);
    if ([...text].length === 1 && text !== '\ufffd' && !found.has(text)) found.set(text, bytes);
  };
  for (let byte = 0; byte < 0x100; byte++) note([byte]);
  if (isDoubleByte(page)) {
    for (let lead = 0x81; lead < 0xff; lead++) for (let trail = 0x40; trail < 0xff; trail++) note([lead, trail]);
  }
  return found;
}

const isDoubleByte = (page: string): boolean => !page.startsWith('windows-');

const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

/** Text in a code page; what it does not have becomes a question mark, as SQL Server does. */
export function encodeText(text: string, page: string): Buffer {
  if (page === 'windows-1252') return encodeWindows1252(text);
  if (page === 'utf-8') return Buffer.from(text);
  let table = tables.get(page);
  if (table === undefined) {
    table = bytesByCharacter(page);
    tables.set(page, table);
  }
  const bytes: number[] = [];
  for (const character of text) bytes.push(...(table.get(character) ?? [questionMark]));
  return Buffer.from(bytes);
}
