import { sqlError } from '../../base/messages/sql-error.ts';
import { type Decimal, parseDecimal, rescale, tenTo } from '../types/decimal.ts';
import { ticksPerDay } from '../types/instant.ts';
import type { AnyType } from '../types/sql-type.ts';
import { bytesToInteger } from './bytes.ts';
import { familyOf, nameInMessage } from './families.ts';
import { baseDay, toMoment } from './moment.ts';
import { divideRounding, exactFromNumber } from './values.ts';

/** A value as decimal or numeric of the declared precision and scale. */
export function toDecimal(value: unknown, from: AnyType, to: AnyType): Decimal {
  const exact = rescale(exactOf(value, from, to), to.scale);
  const limit = tenTo(to.precision);
  if (exact.unscaled >= limit || exact.unscaled <= -limit) throw sqlError(8115, nameInMessage(from.name), 'numeric');
  return exact;
}

/** A value as money or smallmoney. */
export function toMoney(value: unknown, from: AnyType, to: AnyType): Decimal {
  const exact =
    familyOf(from.name) === 'text' ? parseMoney(String(value), from, to) : rescale(exactOf(value, from, to), 4);
  const bits = to.name === 'money' ? 64 : 32;
  if (BigInt.asIntN(bits, exact.unscaled) !== exact.unscaled) throw sqlError(8115, overflowSource(from), to.name);
  return exact;
}

const overflowSource = (from: AnyType): string => (familyOf(from.name) === 'integer' ? from.name : 'expression');

function parseMoney(text: string, from: AnyType, to: AnyType): Decimal {
  const plain = text
    .trim()
    .replace(/^([+-]?)\s*[$£€¥]\s*/, '$1')
    .replace(/^[$£€¥]\s*([+-])/, '$1')
    .replace(/^([+-])\s+/, '$1')
    .replaceAll(',', '');
  if (plain === '' || plain === '-' || plain === '+') return { unscaled: 0n, scale: 4 };
  const parsed = parseDecimal(plain);
  if (parsed !== undefined) return rescale(parsed, 4);
  throw from.name === 'varchar' || from.name === 'char' ? sqlError(235) : sqlError(8114, from.name, to.name);
}

function exactOf(value: unknown, from: AnyType, to: AnyType): Decimal {
  switch (familyOf(from.name)) {
    case 'text': {
      const parsed = parseDecimal(String(value).trim());
      if (parsed === undefined) throw sqlError(8114, from.name, nameInMessage(to.name));
      return parsed;
    }
    case 'bit':
      return { unscaled: value === true ? 1n : 0n, scale: 0 };
    case 'decimal':
    case 'money':
      return value as Decimal;
    case 'float':
      return exactFromNumber(Number(value), to.scale);
    case 'bytes':
      return exactOfBytes(value as Uint8Array, from, to);
    case 'moment': {
      const { day, ticks } = toMoment(value, from);
      const scale = Math.min(to.scale, 17);
      const fraction = divideRounding(BigInt(ticks) * tenTo(scale), BigInt(ticksPerDay));
      return { unscaled: BigInt(day - baseDay) * tenTo(scale) + fraction, scale };
    }
    default:
      return { unscaled: BigInt(value as bigint | number), scale: 0 };
  }
}

/** The binary form of a decimal: precision, scale, zero, sign, then the magnitude in little-endian order. */
function exactOfBytes(bytes: Uint8Array, from: AnyType, to: AnyType): Decimal {
  if (familyOf(to.name) === 'money')
    return { unscaled: bytesToInteger(bytes, to.name === 'money' ? 8 : 4, true), scale: 4 };
  const [precision = 0, scale = 0] = bytes;
  if (bytes.length < 5 || precision < 1 || precision > 38 || scale > precision)
    throw sqlError(8114, from.name, 'numeric');
  const magnitude = bytesToInteger(bytes.slice(4, 20).reverse(), 16, false);
  return { unscaled: bytes[3] === 0 ? -magnitude : magnitude, scale };
}
