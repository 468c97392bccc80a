import { sqlError } from '../../base/messages/sql-error.ts';
import { badMetadata } from '../stream-error.ts';
import { mismatch } from './mismatch.ts';
import type { SqlType } from './sql-type.ts';

const typeByte = 0xad;
const nullLength = 0xffff;

/** A database's ever-increasing counter: eight big-endian bytes as BINARY(8), marked by its UserType. */
export const rowversion: SqlType<bigint> = {
  name: 'timestamp',
  declaration: 'rowversion',
  maxLength: 8,
  precision: 0,
  scale: 0,
  userType: 0x50,
  wide: true,
  check(value) {
    if (typeof value !== 'bigint') throw mismatch(value, 'timestamp');
    if (BigInt.asUintN(64, value) !== value) throw sqlError(8115, 'expression', 'timestamp');
    return value;
  },
  fromStore: (stored) => BigInt(stored instanceof Uint8Array ? Buffer.from(stored).toString() : stored),
  toStore: (value) => value,
  writeInfo(out) {
    out.u8(typeByte);
    out.u16(8);
  },
  write(out, value) {
    if (value === null) return out.u16(nullLength);
    out.u16(8);
    out.u64be(value);
  },
  read(bytes) {
    const length = bytes.u16();
    if (length === nullLength) return null;
    if (length !== 8) throw badMetadata(bytes.subject, typeByte);
    return bytes.u64be();
  },
};
