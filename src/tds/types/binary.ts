import { bytePiecesOf } from '../../base/memory/byte-pieces.ts';
import { sqlError } from '../../base/messages/sql-error.ts';
import type { StoredValue } from '../../base/stored.ts';
import { madeOnce } from './made-once.ts';
import { mismatch } from './mismatch.ts';
import type { SqlType } from './sql-type.ts';
import { type Codec, longWire, maxWire, shortWire, type VariableFacts } from './variable-type.ts';

/** Bytes without any encoding. */
const raw: Codec<Uint8Array> = {
  byteLength: (value) => value.length,
  write: (out, value) => out.bytes(value),
  pieces: bytePiecesOf,
  decode: (bytes) => bytes,
};

const stored = {
  precision: 0,
  scale: 0,
  fromStore(value: Exclude<StoredValue, null>): Uint8Array {
    if (!(value instanceof Uint8Array)) throw mismatch(value, 'varbinary');
    return value;
  },
  toStore: (value: Uint8Array): Uint8Array => value,
};

function bytesWithin(value: unknown, name: string, limit: number): Uint8Array {
  if (!(value instanceof Uint8Array)) throw mismatch(value, name);
  if (value.length > limit) throw sqlError(8152);
  return value;
}

function padded(value: Uint8Array, length: number): Uint8Array {
  if (value.length === length) return value;
  const whole = Buffer.alloc(length);
  whole.set(value);
  return whole;
}

const facts = (
  name: 'varbinary' | 'binary' | 'image',
  declaration: string,
  typeByte: number,
  check: (value: unknown) => Uint8Array,
): VariableFacts<Uint8Array> => ({ name, declaration, typeByte, longByte: 0x22, hasCollation: false, check });

function build(name: 'varbinary' | 'binary', typeByte: number, length: number): SqlType<Uint8Array> {
  if (!(length >= 1 && length <= 8000)) throw new TypeError(`${name}(${length}): the length must be 1 to 8000, or max`);
  const described = facts(name, `${name}(${length})`, typeByte, (value) => {
    const bytes = bytesWithin(value, name, length);
    return name === 'binary' ? padded(bytes, length) : bytes;
  });
  return { ...stored, ...described, maxLength: length, ...shortWire(described, length, raw) };
}

const shortVarbinary = madeOnce((length: number) => build('varbinary', 0xa5, length));
const shortBinary = madeOnce((length: number) => build('binary', 0xad, length));

const maxFacts = facts('varbinary', 'varbinary(max)', 0xa5, (value) => bytesWithin(value, 'varbinary', Infinity));
const imageFacts = facts('image', 'image', 0x22, (value) => bytesWithin(value, 'image', Infinity));
const varbinaryMax: SqlType<Uint8Array> = { ...stored, ...maxFacts, maxLength: -1, ...maxWire(maxFacts, raw) };

/** Up to `length` bytes, or any number of them. */
export const varbinary = (length: number | 'max'): SqlType<Uint8Array> =>
  length === 'max' ? varbinaryMax : shortVarbinary(length);

/** Exactly `length` bytes, padded with zeros. */
export const binary = (length: number): SqlType<Uint8Array> => shortBinary(length);

/** Any number of bytes, as the legacy type. */
export const image: SqlType<Uint8Array> = { ...stored, ...imageFacts, maxLength: 16, ...longWire(imageFacts, raw) };
