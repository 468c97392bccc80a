import { sqlError } from '../../base/sql-error.ts';
import type { StoredValue } from '../../base/stored.ts';
import { badLength } from '../stream-error.ts';
import { mismatch } from './mismatch.ts';
import type { SqlType } from './sql-type.ts';
import { type Codec, longWire, maxWire, shortWire, type VariableFacts } from './variable-type.ts';

/** Text in UTF-16LE; an odd number of bytes is error 8028. */
export const utf16 = (name: string): Codec<string> => ({
  byteLength: (value) => value.length * 2,
  write: (out, value) => out.ucs2(value),
  decode(bytes, subject) {
    if (bytes.length % 2 !== 0) throw badLength(subject, name);
    return bytes.toString('utf16le');
  },
});

const stored = {
  precision: 0,
  scale: 0,
  fromStore: (value: Exclude<StoredValue, null>): string =>
    value instanceof Uint8Array ? Buffer.from(value).toString() : String(value),
  toStore: (value: string): string => value,
};

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
  if (!(length >= 1 && length <= 4000)) throw new TypeError(`${name}(${length}): the length is 1 to 4000, or max`);
  const described = facts(name, `${name}(${length})`, typeByte, (value) => {
    const text = textWithin(value, name, length);
    return name === 'nchar' ? text.padEnd(length) : text;
  });
  return { ...stored, ...described, maxLength: length * 2, ...shortWire(described, length * 2, utf16(name)) };
}

/** A request names its types anew each time; making a type costs more than reading its value. */
const made = new Map<string, SqlType<string>>();

function short(name: 'nvarchar' | 'nchar', typeByte: number, length: number): SqlType<string> {
  const key = `${name}${length}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const type = build(name, typeByte, length);
  made.set(key, type);
  return type;
}

const maxFacts = facts('nvarchar', 'nvarchar(max)', 0xe7, (value) => textWithin(value, 'nvarchar', Infinity));
const ntextFacts = facts('ntext', 'ntext', 0x63, (value) => textWithin(value, 'ntext', Infinity));
const nvarcharMax: SqlType<string> = {
  ...stored,
  ...maxFacts,
  maxLength: -1,
  ...maxWire(maxFacts, utf16('nvarchar')),
};

/** Unicode text of up to `length` characters, or of any length. */
export const nvarchar = (length: number | 'max'): SqlType<string> =>
  length === 'max' ? nvarcharMax : short('nvarchar', 0xe7, length);

/** Unicode text of exactly `length` characters, padded with blanks. */
export const nchar = (length: number): SqlType<string> => short('nchar', 0xef, length);

/** Unicode text of any length, in the form of old. */
export const ntext: SqlType<string> = {
  ...stored,
  ...ntextFacts,
  maxLength: 16,
  ...longWire(ntextFacts, utf16('ntext')),
};
