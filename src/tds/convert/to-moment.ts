import { sqlError } from '../../base/messages/sql-error.ts';
import type { Decimal } from '../types/decimal.ts';
import { type Instant, lastDay, ticksPerDay } from '../types/instant.ts';
import type { AnyType } from '../types/sql-type.ts';
import { familyOf } from './families.ts';
import { addTicks, baseDay, fromMoment, ticksPerMinute, toMoment } from './moment.ts';
import type { DateOrder } from './parse-date.ts';
import { parseMoment } from './parse-moment.ts';
import { exactToNumber } from './values.ts';

/** A value as a date or time. */
export function toDateOrTime(
  value: unknown,
  from: AnyType,
  to: AnyType,
  style: number | undefined,
  order: DateOrder,
): unknown {
  switch (familyOf(from.name)) {
    case 'text':
      return parseMoment(String(value), from, to, style, order);
    case 'moment':
      return fromMoment(toMoment(value, from), to, from.name);
    case 'decimal':
    case 'money':
      return ofDays(exactToNumber(value as Decimal), from, to);
    case 'bytes':
      return ofBytes(value as Uint8Array, from, to);
    default:
      return ofDays(Number(value), from, to);
  }
}

/** A number is a count of days since 1900-01-01; its fraction is the time of day. */
function ofDays(days: number, from: AnyType, to: AnyType): unknown {
  const whole = Math.floor(days);
  if (!(Math.abs(whole) < 4_000_000)) throw sqlError(8115, 'expression', to.name);
  const moment = addTicks({ day: baseDay + whole, ticks: 0 }, Math.round((days - whole) * ticksPerDay));
  try {
    return fromMoment(moment, to, from.name);
  } catch {
    throw sqlError(8115, 'expression', to.name);
  }
}

/**
 * The bytes of a datetime or smalldatetime, big-endian, or of a date, little-endian; 210 if they are not a valid
 * moment.
 */
function ofBytes(bytes: Uint8Array, from: AnyType, to: AnyType): unknown {
  const moment = momentIn(bytes, to);
  if (moment === undefined) throw sqlError(241);
  if (moment.day < 0 || moment.day > lastDay || moment.ticks >= ticksPerDay) throw sqlError(210);
  return fromMoment(moment, to, from.name);
}

function momentIn(bytes: Uint8Array, { name }: AnyType): Instant | undefined {
  const padded = Buffer.alloc(8);
  padded.set(bytes.slice(-8), Math.max(0, 8 - bytes.length));
  if (name === 'datetime')
    return { day: baseDay + padded.readInt32BE(0), ticks: Math.round((padded.readUInt32BE(4) * 100_000) / 3) };
  if (name === 'smalldatetime')
    return { day: baseDay + padded.readUInt16BE(4), ticks: padded.readUInt16BE(6) * ticksPerMinute };
  if (name === 'date' && bytes.length === 3) return { day: Buffer.from(bytes).readUIntLE(0, 3), ticks: 0 };
  return undefined;
}
