import type { StoredValue } from '../../base/stored.ts';
import type { Subject } from '../stream-error.ts';
import { badValue } from '../stream-error.ts';
import { mismatch } from './mismatch.ts';
import type { SqlType } from './sql-type.ts';
import { utf16 } from './unicode-text.ts';
import { type Codec, maxWire, type VariableFacts } from './variable-type.ts';
import { refuseOtherEncoding, textOfBytes } from './xml-encoding.ts';

/** Decodes a document in units of 16 bits by its byte order mark; binary XML (DF FF) is refused. */
function decodeUnits(bytes: Buffer, subject: Subject): string {
  const [first, second] = bytes;
  if (first === 0xdf && second === 0xff) throw badValue(subject, 'xml');
  if (first === 0xff && second === 0xfe) return units.decode(bytes.subarray(2), subject);
  if (first === 0xfe && second === 0xff) {
    return units.decode(Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2))).swap16(), subject);
  }
  return units.decode(bytes, subject);
}

/** True for a document in bytes: the byte order mark of UTF-8, or a `<` that is not followed by a zero byte. */
const isOfBytes = ([first, second, third]: Uint8Array): boolean =>
  (first === 0xef && second === 0xbb && third === 0xbf) || (first === 0x3c && second !== 0);

const units = utf16('xml');
const codec: Codec<string> = {
  ...units,
  decode(bytes, subject) {
    if (isOfBytes(bytes)) return textOfBytes(bytes);
    const document = decodeUnits(bytes, subject);
    refuseOtherEncoding(document, 'in units of 16 bits');
    return document;
  },
};

const facts: VariableFacts<string> = {
  name: 'xml',
  declaration: 'xml',
  typeByte: 0xf1,
  longByte: 0x63,
  hasCollation: true,
  check(value) {
    if (typeof value !== 'string') throw mismatch(value, 'xml');
    return value;
  },
};
const wire = maxWire(facts, codec);

/** A document; a client before 7.2 gets it as ntext. */
export const xml: SqlType<string> = {
  ...facts,
  ...wire,
  maxLength: -1,
  precision: 0,
  scale: 0,
  fromStore: (value: Exclude<StoredValue, null>) => String(value),
  toStore: (value) => value,
  writeInfo(out, dialect) {
    if (!dialect.atLeast72) return wire.writeInfo(out, dialect);
    out.u8(facts.typeByte);
    // No schema collection (MS-TDS 2.2.5.5.3).
    out.u8(0);
  },
};
