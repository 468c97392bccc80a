import { byteLengthType } from './byte-length-type.ts';
import { mismatch } from './mismatch.ts';
import type { SqlType } from './sql-type.ts';

/** True or false. */
export const bit: SqlType<boolean> = byteLengthType(
  {
    name: 'bit',
    declaration: 'bit',
    maxLength: 1,
    precision: 1,
    scale: 0,
    info: [0x68, 1],
    variantByte: 0x32,
    hasFixedForm: true,
    check(value) {
      if (typeof value !== 'boolean') throw mismatch(value, 'bit');
      return value;
    },
    fromStore: (stored) => Number(stored) !== 0,
    toStore: (value) => value,
  },
  { size: 1, write: (out, value) => out.u8(value ? 1 : 0), read: (bytes) => bytes.u8() !== 0 },
);
