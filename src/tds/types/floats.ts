import { sqlError } from '../../base/messages/sql-error.ts';
import type { ByteReader } from '../byte-reader.ts';
import { badValue } from '../stream-error.ts';
import { byteLengthType } from './byte-length-type.ts';
import { mismatch } from './mismatch.ts';
import type { SqlType } from './sql-type.ts';

const fltN = 0x6d;

/** SQL Server supports neither NaN nor infinity. */
function finite(bytes: ByteReader, value: number, name: string): number {
  if (!Number.isFinite(value)) throw badValue(bytes.subject, name);
  return value;
}

/** A number of double precision. */
export const float: SqlType<number> = byteLengthType(
  {
    name: 'float',
    declaration: 'float',
    maxLength: 8,
    precision: 53,
    scale: 0,
    info: [fltN, 8],
    variantByte: 0x3e,
    hasFixedForm: true,
    check(value) {
      if (typeof value !== 'number') throw mismatch(value, 'float');
      if (!Number.isFinite(value)) throw sqlError(8115, 'expression', 'float');
      return value;
    },
    fromStore: Number,
    toStore: (value) => value,
  },
  { size: 8, write: (out, value) => out.f64(value), read: (bytes) => finite(bytes, bytes.f64(), 'float') },
);

/** A number of single precision. */
export const real: SqlType<number> = byteLengthType(
  {
    name: 'real',
    declaration: 'real',
    maxLength: 4,
    precision: 24,
    scale: 0,
    info: [fltN, 4],
    variantByte: 0x3b,
    hasFixedForm: true,
    check(value) {
      if (typeof value !== 'number') throw mismatch(value, 'real');
      const single = Math.fround(value);
      if (!Number.isFinite(single)) throw sqlError(8115, 'expression', 'real');
      return single;
    },
    fromStore: (stored) => Math.fround(Number(stored)),
    toStore: (value) => value,
  },
  { size: 4, write: (out, value) => out.f32(value), read: (bytes) => finite(bytes, bytes.f32(), 'real') },
);
