import { sqlError } from '../../base/messages/sql-error.ts';
import { piecesOf } from '../../base/text/text-units.ts';
import { badLength } from '../stream-error.ts';
import { madeOnce } from './made-once.ts';
import { mismatch } from './mismatch.ts';
import type { SqlType } from './sql-type.ts';
import { storedText } from './stored-text.ts';
import { type Codec, longWire, maxWire, shortWire, type VariableFacts } from './variable-type.ts';

/** Text in UTF-16LE; an odd number of bytes is error 8028. */
export const utf16 = (name: string): Codec<string> => ({
  byteLength: (value) => value.length * 2,
  write: (out, value) => out.ucs2(value),
  pieces: piecesOf,
  decode(bytes, subject) {
    if (bytes.length % 2 !== 0) throw badLength(subject, name);
    return bytes.toString('utf16le');
  },
});

function textWithin(value: unknown, name: string, limit: number): string {
  if (typeof value !== 'string') throw mismatch(value, name);
  if (value.length > limit) throw sqlError(8152);
  return value;
}

const facts = (
  name: 'nvarchar' | 'nchar' | 'ntext',
  declaration: string,
  typeByte: number,
  check: (value: unknown) => string,
): VariableFacts<string> => ({ name, declaration, typeByte, longByte: 0x63, hasCollation: true, check });

function build(name: 'nvarchar' | 'nchar', typeByte: number, length: number): SqlType<string> {
  if (!(length >= 1 && length <= 4000)) throw new TypeError(`${name}(${length}): the length must be 1 to 4000, or max`);
  const described = facts(name, `${name}(${length})`, typeByte, (value) => {
    const text = textWithin(value, name, length);
    return name === 'nchar' ? text.padEnd(length) : text;
  });
  return { ...storedText, ...described, maxLength: length * 2, ...shortWire(described, length * 2, utf16(name)) };
}

const shortNvarchar = madeOnce((length: number) => build('nvarchar', 0xe7, length));
const shortNchar = madeOnce((length: number) => build('nchar', 0xef, length));

const maxFacts = facts('nvarchar', 'nvarchar(max)', 0xe7, (value) => textWithin(value, 'nvarchar', Infinity));
const ntextFacts = facts('ntext', 'ntext', 0x63, (value) => textWithin(value, 'ntext', Infinity));
const nvarcharMax: SqlType<string> = {
  ...storedText,
  ...maxFacts,
  maxLength: -1,
  ...maxWire(maxFacts, utf16('nvarchar')),
};

/** Unicode text of up to `length` characters, or of any length. */
export const nvarchar = (length: number | 'max'): SqlType<string> =>
  length === 'max' ? nvarcharMax : shortNvarchar(length);

/** Unicode text of exactly `length` characters, padded with blanks. */
export const nchar = (length: number): SqlType<string> => shortNchar(length);

/** Unicode text of any length, as the legacy type. */
export const ntext: SqlType<string> = {
  ...storedText,
  ...ntextFacts,
  maxLength: 16,
  ...longWire(ntextFacts, utf16('ntext')),
};
