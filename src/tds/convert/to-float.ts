import { sqlError } from '../../base/messages/sql-error.ts';
import type { Decimal } from '../types/decimal.ts';
import { ticksPerDay } from '../types/instant.ts';
import type { AnyType } from '../types/sql-type.ts';
import { familyOf } from './families.ts';
import { baseDay, toMoment } from './moment.ts';
import { exactToNumber } from './values.ts';

const largestReal = 3.4028234663852886e38;

/** A value as float or real. */
export function toFloat(value: unknown, from: AnyType, to: AnyType): number {
  const number = numberOf(value, from, to);
  if (to.name === 'float') return number;
  if (Math.abs(number) > largestReal) throw sqlError(232, 'real', number.toFixed(6));
  return Math.fround(number);
}

function numberOf(value: unknown, from: AnyType, to: AnyType): number {
  switch (familyOf(from.name)) {
    case 'text':
      return parseFloatText(String(value), from, to);
    case 'decimal':
    case 'money':
      return exactToNumber(value as Decimal);
    case 'moment': {
      const { day, ticks } = toMoment(value, from);
      return day - baseDay + ticks / ticksPerDay;
    }
    default:
      return Number(value);
  }
}

function parseFloatText(text: string, from: AnyType, to: AnyType): number {
  const plain = text.trim();
  if (plain === '' || plain === '+' || plain === '-') return 0;
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(plain)) throw sqlError(8114, from.name, to.name);
  const number = Number(plain);
  if (!Number.isFinite(number)) throw sqlError(8115, 'varchar', to.name);
  return number;
}
