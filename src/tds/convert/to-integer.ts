import { sqlError } from '../../base/messages/sql-error.ts';
import { type Decimal, parseDecimal, rescale, tenTo } from '../types/decimal.ts';
import { ticksPerDay } from '../types/instant.ts';
import type { AnyType } from '../types/sql-type.ts';
import { bytesToInteger } from './bytes.ts';
import { familyOf, nameInMessage } from './families.ts';
import { baseDay, toMoment } from './moment.ts';

const ranges: Readonly<Record<string, readonly [bigint, bigint]>> = {
  tinyint: [0n, 255n],
  smallint: [-32_768n, 32_767n],
  int: [-2_147_483_648n, 2_147_483_647n],
  bigint: [-9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n],
};
const widths: Readonly<Record<string, number>> = { tinyint: 1, smallint: 2, int: 4, bigint: 8 };

/** True when an integer type can hold the number. */
export function fits(value: bigint, name: string): boolean {
  const range = ranges[name];
  return range !== undefined && value >= range[0] && value <= range[1];
}

/** A value as bigint, int, smallint or tinyint. */
export function toInteger(value: unknown, from: AnyType, to: AnyType): bigint | number {
  const whole = wholeOf(value, from, to);
  if (!fits(whole, to.name)) throw overflow(value, whole, from, to);
  return to.name === 'bigint' ? whole : Number(whole);
}

function wholeOf(value: unknown, from: AnyType, to: AnyType): bigint {
  switch (familyOf(from.name)) {
    case 'text':
      return parseWhole(String(value), from, to);
    case 'bit':
      return value === true ? 1n : 0n;
    case 'decimal': {
      const { unscaled, scale } = value as Decimal;
      return unscaled / tenTo(scale);
    }
    case 'money':
      return rescale(value as Decimal, 0).unscaled;
    case 'float':
      return BigInt(Math.trunc(Number(value)));
    case 'bytes':
      return bytesToInteger(value as Uint8Array, widths[to.name] ?? 4, to.name !== 'tinyint');
    case 'rowversion':
      return BigInt.asIntN((widths[to.name] ?? 8) * 8, value as bigint);
    case 'moment': {
      const { day, ticks } = toMoment(value, from);
      return BigInt(day - baseDay + (ticks * 2 >= ticksPerDay ? 1 : 0));
    }
    default:
      return BigInt(value as bigint | number);
  }
}

function parseWhole(text: string, from: AnyType, to: AnyType): bigint {
  const digits = text.trim();
  if (/^[+-]?\d+$/.test(digits)) return parseDecimal(digits)?.unscaled ?? 0n;
  // SQL Server reads an empty string or a sign without digits as zero.
  if (/^[+-]?$/.test(digits)) return 0n;
  throw to.name === 'bigint' ? sqlError(8114, from.name, to.name) : sqlError(245, from.name, text, to.name);
}

function overflow(value: unknown, whole: bigint, from: AnyType, to: AnyType): Error {
  switch (familyOf(from.name)) {
    case 'text':
      if (to.name === 'int') return sqlError(248, from.name, String(value));
      if (to.name === 'bigint') return sqlError(8115, 'expression', to.name);
      return sqlError(244, from.name, String(value), to.name === 'tinyint' ? 'INT1' : 'INT2');
    case 'decimal':
    case 'money':
      return sqlError(8115, nameInMessage(from.name), to.name);
    case 'float':
      return sqlError(232, to.name, Number(value).toFixed(6));
    default:
      return to.name === 'int' || to.name === 'bigint'
        ? sqlError(8115, 'expression', to.name)
        : sqlError(220, to.name, whole);
  }
}

/** A value as a bit: anything but zero is true. */
export function toBit(value: unknown, from: AnyType, to: AnyType): boolean {
  switch (familyOf(from.name)) {
    case 'text': {
      const word = String(value).trim();
      const name = word.length <= 'false'.length ? word.toLowerCase() : '';
      if (name === 'true' || name === 'false') return name === 'true';
      if (/^[+-]?\d*$/.test(word)) return /[1-9]/.test(word);
      throw sqlError(245, from.name, String(value), to.name);
    }
    case 'decimal':
    case 'money':
      return (value as Decimal).unscaled !== 0n;
    case 'float':
      return Number(value) !== 0;
    case 'bytes':
      return (value as Uint8Array).some((byte) => byte !== 0);
    case 'rowversion':
      return value !== 0n;
    case 'moment':
      return wholeOf(value, from, to) !== 0n;
    default:
      return BigInt(value as bigint | number) !== 0n;
  }
}
