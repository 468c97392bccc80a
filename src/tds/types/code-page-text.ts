import { sqlError } from '../../base/messages/sql-error.ts';
import { piecesOf } from '../../base/text/text-units.ts';
import { encodeText } from './code-page.ts';
import { decodeText } from './collation.ts';
import { madeOnce } from './made-once.ts';
import { mismatch } from './mismatch.ts';
import type { SqlType } from './sql-type.ts';
import { storedText } from './stored-text.ts';
import { type Codec, longWire, maxWire, shortWire, type VariableFacts } from './variable-type.ts';
import { encodeWindows1252 } from './windows-1252.ts';

/** Text that is received in a code page; it is always sent in code page 1252, that of Granary's collation. */
const inPage = (page: string): Codec<string> => ({
  byteLength: (value) => value.length,
  write: (out, value) => out.bytes(encodeWindows1252(value)),
  pieces: piecesOf,
  decode: (bytes) => decodeText(bytes, page),
});

/** Text that is received and sent in a code page. */
const ofPage = (page: string): Codec<string> => ({
  byteLength: (value) => encodeText(value, page).length,
  write: (out, value) => out.bytes(encodeText(value, page)),
  pieces: piecesOf,
  decode: (bytes) => decodeText(bytes, page),
});

const isAscii = (text: string): boolean => {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
};

/** A column of code page 1252 stores no other characters: those become question marks. */
function textWithin(value: unknown, name: string, limit: number): string {
  if (typeof value !== 'string') throw mismatch(value, name);
  if (value.length > limit) throw sqlError(8152);
  return isAscii(value) ? value : decodeText(encodeWindows1252(value), 'windows-1252');
}

const facts = (
  name: 'varchar' | 'char' | 'text',
  declaration: string,
  typeByte: number,
  check: (value: unknown) => string,
): VariableFacts<string> => ({ name, declaration, typeByte, longByte: 0x23, hasCollation: true, check });

function build(name: 'varchar' | 'char', typeByte: number, length: number, page: string): SqlType<string> {
  if (!(length >= 1 && length <= 8000)) throw new TypeError(`${name}(${length}): the length must be 1 to 8000, or max`);
  const described = facts(name, `${name}(${length})`, typeByte, (value) => {
    const text = textWithin(value, name, length);
    return name === 'char' ? text.padEnd(length) : text;
  });
  return { ...storedText, ...described, maxLength: length, ...shortWire(described, length, inPage(page)) };
}

const shortVarchar = madeOnce((page: string) => madeOnce((length: number) => build('varchar', 0xa7, length, page)));
const shortChar = madeOnce((page: string) => madeOnce((length: number) => build('char', 0xaf, length, page)));

const maxFacts = facts('varchar', 'varchar(max)', 0xa7, (value) => textWithin(value, 'varchar', Infinity));
const textFacts = facts('text', 'text', 0x23, (value) => textWithin(value, 'text', Infinity));

const maxVarchar = madeOnce(
  (page: string): SqlType<string> => ({
    ...storedText,
    ...maxFacts,
    maxLength: -1,
    ...maxWire(maxFacts, inPage(page)),
  }),
);

/** The code page of Granary's own collation. */
export const ownPage = 'windows-1252';

/** Text of up to `length` bytes in a code page, or of any length. */
export const varchar = (length: number | 'max', page: string = ownPage): SqlType<string> =>
  length === 'max' ? maxVarchar(page) : shortVarchar(page)(length);

/** Text of exactly `length` bytes in a code page, padded with blanks. */
export const char = (length: number, page: string = ownPage): SqlType<string> => shortChar(page)(length);

/** Text of any length as the legacy type, read in the given code page. */
export const textIn = (page: string): SqlType<string> => ({
  ...storedText,
  ...textFacts,
  maxLength: 16,
  ...longWire(textFacts, inPage(page)),
});

/** Text of any length as the legacy type. */
export const text: SqlType<string> = textIn(ownPage);

/** char, varchar or text that is limited to the characters of a code page and is sent in it. */
export function inCodePage(type: SqlType<string>, page: string): SqlType<string> {
  const codec = ofPage(page);
  const check = (value: unknown): string => {
    if (typeof value !== 'string') throw mismatch(value, type.name);
    const bytes = encodeText(value, page);
    if (type.maxLength > 0 && type.name !== 'text' && bytes.length > type.maxLength) throw sqlError(8152);
    const kept = decodeText(bytes, page);
    return type.name === 'char' ? kept.padEnd(type.maxLength) : kept;
  };
  if (type.name === 'text') return { ...type, check, ...longWire({ ...textFacts, check }, codec) };
  if (type.maxLength < 0) return { ...type, check, ...maxWire({ ...maxFacts, check }, codec) };
  const name = type.name === 'char' ? 'char' : 'varchar';
  const described = facts(name, type.declaration, name === 'char' ? 0xaf : 0xa7, check);
  return { ...type, check, ...shortWire(described, type.maxLength, codec) };
}
