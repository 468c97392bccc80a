import { areZeros } from '../../base/memory/zeros.ts';
import { sqlError } from '../../base/messages/sql-error.ts';
import { ownBytes } from '../../base/text/own-part.ts';
import { encodeText } from '../types/code-page.ts';
import { ownPage } from '../types/code-page-text.ts';
import type { Decimal } from '../types/decimal.ts';
import type { AnyType } from '../types/sql-type.ts';
import { fromHex, guidToBytes, integerToBytes } from './bytes.ts';
import { familyOf, isUnicode } from './families.ts';
import { baseDay, toMoment } from './moment.ts';

const widths: Readonly<Record<string, number>> = {
  tinyint: 1,
  smallint: 2,
  int: 4,
  bigint: 8,
  smallmoney: 4,
  money: 8,
};
const numbers = new Set(['integer', 'bit', 'money', 'float', 'rowversion']);

/** A value as binary, varbinary or image; numbers are truncated at their high end, everything else at its tail. */
export function toBytes(
  value: unknown,
  from: AnyType,
  to: AnyType,
  style: number | undefined,
  verify: boolean,
): Uint8Array {
  const bytes = bytesOf(value, from, to, style);
  const room = to.maxLength < 0 || to.name === 'image' ? Number.POSITIVE_INFINITY : to.maxLength;
  const aligned = numbers.has(familyOf(from.name));
  if (bytes.length > room) {
    // Trailing zeros are to bytes what trailing blanks are to text: nothing is lost without them.
    if (verify && !aligned && !areZeros(bytes, room)) throw sqlError(8152);
    return ownBytes(aligned ? bytes.subarray(bytes.length - room) : bytes.subarray(0, room));
  }
  if (to.name !== 'binary' || bytes.length === room) return bytes;
  const padded = new Uint8Array(room);
  padded.set(bytes, aligned ? room - bytes.length : 0);
  return padded;
}

/** A value as a row version: its bytes as one big-endian number. */
export function toRowversion(value: unknown, from: AnyType, to: AnyType, style: number | undefined): bigint {
  const bytes = bytesOf(value, from, to, style);
  const eight = new Uint8Array(8);
  const aligned = numbers.has(familyOf(from.name));
  if (aligned) eight.set(bytes.slice(-8), Math.max(0, 8 - bytes.length));
  else eight.set(bytes.slice(0, 8));
  return Buffer.from(eight).readBigUInt64BE();
}

function bytesOf(value: unknown, from: AnyType, to: AnyType, style: number | undefined): Uint8Array {
  switch (familyOf(from.name)) {
    case 'text':
      return textBytes(String(value), from, to, style);
    case 'xml':
      return Buffer.from(`\ufeff${String(value)}`, 'utf16le');
    case 'bit':
      return Uint8Array.of(value === true ? 1 : 0);
    case 'decimal':
      return decimalBytes(value as Decimal, from);
    case 'money':
      return integerToBytes((value as Decimal).unscaled, widths[from.name] ?? 8);
    case 'float': {
      const bytes = Buffer.alloc(from.name === 'real' ? 4 : 8);
      if (from.name === 'real') bytes.writeFloatBE(Number(value));
      else bytes.writeDoubleBE(Number(value));
      return bytes;
    }
    case 'rowversion':
      return integerToBytes(value as bigint, 8);
    case 'moment':
      return momentBytes(value, from);
    case 'guid':
      return guidToBytes(String(value));
    case 'integer':
      return integerToBytes(BigInt(value as bigint | number), widths[from.name] ?? 4);
    default:
      return value as Uint8Array;
  }
}

function textBytes(text: string, from: AnyType, to: AnyType, style: number | undefined): Uint8Array {
  if (style === 1 || style === 2) {
    const digits = style === 2 ? text : /^0x/i.test(text) ? text.slice(2) : undefined;
    const bytes = digits === undefined ? undefined : fromHex(digits);
    if (bytes === undefined) throw sqlError(8114, from.name, to.name);
    return bytes;
  }
  return isUnicode(from.name) ? Buffer.from(text, 'utf16le') : encodeText(text, from.collation?.page ?? ownPage);
}

function decimalBytes({ unscaled }: Decimal, from: AnyType): Uint8Array {
  const size = from.precision <= 9 ? 4 : from.precision <= 19 ? 8 : from.precision <= 28 ? 12 : 16;
  const magnitude = integerToBytes(unscaled < 0n ? -unscaled : unscaled, size).reverse();
  return Uint8Array.of(from.precision, from.scale, 0, unscaled < 0n ? 0 : 1, ...magnitude);
}

function momentBytes(value: unknown, from: AnyType): Uint8Array {
  const { day, ticks } = toMoment(value, from);
  const bytes = Buffer.alloc(8);
  switch (from.name) {
    case 'datetime':
      bytes.writeInt32BE(day - baseDay);
      bytes.writeUInt32BE(Math.round((ticks * 3) / 100_000), 4);
      return bytes;
    case 'smalldatetime':
      bytes.writeUInt16BE(day - baseDay);
      bytes.writeUInt16BE(Math.floor(ticks / 600_000_000), 2);
      return bytes.subarray(0, 4);
    case 'date':
      bytes.writeUIntLE(day, 0, 3);
      return bytes.subarray(0, 3);
    default:
      return scaledBytes(value, from);
  }
}

/** time, datetime2 and datetimeoffset: the scale, then the units of the day and the day, little-endian. */
function scaledBytes(value: unknown, from: AnyType): Uint8Array {
  const { day, ticks, offset } = toMoment(value, from);
  const units = Math.floor(ticks / 10 ** (7 - from.scale));
  const size = from.scale <= 2 ? 3 : from.scale <= 4 ? 4 : 5;
  const bytes = Buffer.alloc(1 + size + (from.name === 'time' ? 0 : 3) + (from.name === 'datetimeoffset' ? 2 : 0));
  bytes[0] = from.scale;
  bytes.writeUIntLE(units, 1, size);
  if (from.name !== 'time') bytes.writeUIntLE(day, 1 + size, 3);
  if (from.name === 'datetimeoffset') bytes.writeInt16LE(offset ?? 0, 4 + size);
  return bytes;
}
