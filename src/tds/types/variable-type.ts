import type { Steps } from '../../base/threads/steps.ts';
import type { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { badMetadata, type Subject } from '../stream-error.ts';
import type { Dialect } from '../version.ts';
import { collationBytes } from './collation.ts';
import {
  beginLongCell,
  maxBytes,
  readLongCell,
  readLongParam,
  writeLongNullCell,
  writeLongNullParam,
} from './long-value.ts';
import { beginPlp, endPlp, readPlp, writePlpNull } from './plp.ts';
import type { LongForm, SqlType, TypeName, VariantForm } from './sql-type.ts';

/** The encoding of text or bytes on the wire. */
export interface Codec<Value> {
  byteLength(value: Value): number;
  write(out: ByteWriter, value: Value): void;
  /** A long value in pieces whose encodings, concatenated, are that of the value. */
  pieces(value: Value): Iterable<Value>;
  decode(bytes: Buffer, subject: Subject): Value;
}

/** The properties of a type of variable length. */
export interface VariableFacts<Value> {
  readonly name: TypeName;
  readonly declaration: string;
  readonly typeByte: number;
  /** The type byte of text, ntext or image, as which a max value is sent to a client before 7.2. */
  readonly longByte: number;
  readonly hasCollation: boolean;
  check(value: unknown): Value;
}

type Wire<Value> = Pick<
  SqlType<Value>,
  'writeInfo' | 'write' | 'writeSteps' | 'read' | 'variant' | 'long' | 'lengthBytes'
>;

const nullLength = 0xffff;

const writeCollation = (out: ByteWriter, dialect: Dialect): void => {
  if (dialect.atLeast71) out.bytes(collationBytes);
};

/** Values of up to 8000 bytes preceded by a 16-bit length (USHORTLEN_TYPE, MS-TDS 2.2.5.4.3). */
export function shortWire<Value>(facts: VariableFacts<Value>, limit: number, codec: Codec<Value>): Wire<Value> {
  const { typeByte, hasCollation } = facts;
  const variant: VariantForm<Value> = {
    typeByte,
    properties: Uint8Array.of(...(hasCollation ? collationBytes : []), limit & 0xff, limit >>> 8),
    write: codec.write,
    read: (bytes, length) => codec.decode(bytes.bytes(length), bytes.subject),
  };
  return {
    variant,
    lengthBytes: 2,
    writeInfo(out, dialect) {
      out.u8(typeByte);
      out.u16(limit);
      if (hasCollation) writeCollation(out, dialect);
    },
    write(out, value) {
      if (value === null) return out.u16(nullLength);
      out.u16(codec.byteLength(value));
      codec.write(out, value);
    },
    read(bytes) {
      const length = bytes.u16();
      if (length === nullLength) return null;
      if (length > limit) throw badMetadata(bytes.subject, typeByte);
      return codec.decode(bytes.bytes(length), bytes.subject);
    },
  };
}

function longForm<Value>(codec: Codec<Value>, applies: (dialect: Dialect) => boolean): LongForm<Value> {
  return {
    applies,
    readRow(bytes) {
      const value = readLongCell(bytes);
      return value === null ? null : codec.decode(value, bytes.subject);
    },
    writeParam(out, value) {
      if (value === null) return writeLongNullParam(out);
      out.u32(codec.byteLength(value));
      codec.write(out, value);
    },
  };
}

function writeLong<Value>(out: ByteWriter, value: Value | null, codec: Codec<Value>): void {
  if (value === null) {
    writeLongNullCell(out);
    return;
  }
  beginLongCell(out, codec.byteLength(value));
  codec.write(out, value);
}

function* lengthSteps<Value>(value: Value, codec: Codec<Value>): Steps<number> {
  let length = 0;
  for (const piece of codec.pieces(value)) {
    length += codec.byteLength(piece);
    yield;
  }
  return length;
}

function* bodySteps<Value>(out: ByteWriter, value: Value, codec: Codec<Value>): Steps<void> {
  for (const piece of codec.pieces(value)) {
    codec.write(out, piece);
    yield;
  }
}

function* longSteps<Value>(out: ByteWriter, value: Value, codec: Codec<Value>): Steps<void> {
  beginLongCell(out, yield* lengthSteps(value, codec));
  yield* bodySteps(out, value, codec);
}

function* maxSteps<Value>(out: ByteWriter, value: Value, codec: Codec<Value>): Steps<void> {
  beginPlp(out, yield* lengthSteps(value, codec));
  yield* bodySteps(out, value, codec);
  endPlp(out);
}

function readLong<Value>(bytes: ByteReader, codec: Codec<Value>): Value | null {
  const value = readLongParam(bytes);
  return value === null ? null : codec.decode(value, bytes.subject);
}

/** TEXT, NTEXT and IMAGE (LONGLEN_TYPE, MS-TDS 2.2.5.4.3). */
export function longWire<Value>(facts: VariableFacts<Value>, codec: Codec<Value>): Wire<Value> {
  return {
    long: longForm(codec, () => true),
    writeInfo(out, dialect) {
      out.u8(facts.longByte);
      out.u32(maxBytes);
      if (facts.hasCollation) writeCollation(out, dialect);
    },
    write: (out, value) => writeLong(out, value, codec),
    writeSteps: (out, value) => longSteps(out, value, codec),
    read: (bytes) => readLong(bytes, codec),
  };
}

/** Max types: PLP from 7.2 (MS-TDS 2.2.5.2.3), and text, ntext or image before. */
export function maxWire<Value>(facts: VariableFacts<Value>, codec: Codec<Value>): Wire<Value> {
  const old = longWire(facts, codec);
  return {
    long: longForm(codec, (dialect) => !dialect.atLeast72),
    writeInfo(out, dialect) {
      if (!dialect.atLeast72) return old.writeInfo(out, dialect);
      out.u8(facts.typeByte);
      out.u16(0xffff);
      if (facts.hasCollation) writeCollation(out, dialect);
    },
    write(out, value, dialect) {
      if (!dialect.atLeast72) return old.write(out, value, dialect);
      if (value === null) return writePlpNull(out);
      beginPlp(out, codec.byteLength(value));
      codec.write(out, value);
      endPlp(out);
    },
    writeSteps: (out, value, dialect) => (dialect.atLeast72 ? maxSteps : longSteps)(out, value, codec),
    read(bytes, dialect) {
      if (!dialect.atLeast72) return old.read(bytes, dialect);
      const value = readPlp(bytes, facts.name);
      return value === null ? null : codec.decode(value, bytes.subject);
    },
  };
}
