import { sqlError } from '../../base/messages/sql-error.ts';
import { type Body, byteLengthType } from './byte-length-type.ts';
import { mismatch } from './mismatch.ts';
import type { SqlType } from './sql-type.ts';

const intN = 0x26;

interface IntegerFacts {
  readonly name: 'int' | 'smallint' | 'tinyint';
  readonly fixedByte: number;
  readonly precision: number;
  readonly least: number;
  readonly greatest: number;
}

function integer({ name, fixedByte, precision, least, greatest }: IntegerFacts, body: Body<number>): SqlType<number> {
  return byteLengthType(
    {
      name,
      declaration: name,
      maxLength: body.size,
      precision,
      scale: 0,
      info: [intN, body.size],
      variantByte: fixedByte,
      hasFixedForm: true,
      check(value) {
        if (typeof value !== 'number' || !Number.isInteger(value)) throw mismatch(value, name);
        if (value >= least && value <= greatest) return value;
        throw name === 'int' ? sqlError(8115, 'expression', name) : sqlError(220, name, value);
      },
      fromStore: Number,
      toStore: (value) => value,
    },
    body,
  );
}

/** A 32-bit integer. */
export const int = integer(
  { name: 'int', fixedByte: 0x38, precision: 10, least: -2147483648, greatest: 2147483647 },
  { size: 4, write: (out, value) => out.i32(value), read: (bytes) => bytes.i32() },
);

/** A 16-bit integer. */
export const smallint = integer(
  { name: 'smallint', fixedByte: 0x34, precision: 5, least: -32768, greatest: 32767 },
  { size: 2, write: (out, value) => out.i16(value), read: (bytes) => bytes.i16() },
);

/** An integer from 0 to 255. */
export const tinyint = integer(
  { name: 'tinyint', fixedByte: 0x30, precision: 3, least: 0, greatest: 255 },
  { size: 1, write: (out, value) => out.u8(value), read: (bytes) => bytes.u8() },
);

/** A 64-bit integer. */
export const bigint: SqlType<bigint> = byteLengthType(
  {
    name: 'bigint',
    declaration: 'bigint',
    maxLength: 8,
    precision: 19,
    scale: 0,
    info: [intN, 8],
    variantByte: 0x7f,
    hasFixedForm: true,
    wide: true,
    check(value) {
      if (typeof value !== 'bigint') throw mismatch(value, 'bigint');
      if (BigInt.asIntN(64, value) !== value) throw sqlError(8115, 'expression', 'bigint');
      return value;
    },
    fromStore: (stored) => BigInt(stored instanceof Uint8Array ? Buffer.from(stored).toString() : stored),
    toStore: (value) => value,
  },
  { size: 8, write: (out, value) => out.i64(value), read: (bytes) => bytes.i64() },
);
