import type { Bindable } from '../../../base/stored.ts';
import { familyOf } from '../../../tds/convert/families.ts';
import { type Decimal, tenTo } from '../../../tds/types/decimal.ts';
import { dateOf, type Instant } from '../../../tds/types/instant.ts';
import type { AnyType } from '../../../tds/types/sql-type.ts';

/** The greatest value of a column's type that is not greater than a constant, and whether it equals the constant. */
export interface Floor {
  readonly value: Bindable;
  readonly isSame: boolean;
}

/** Finds the floor of a constant; undefined if the engine has no such number. */
type ToFloor = (constant: unknown) => Floor | undefined;

const least = -(2n ** 63n);
const greatest = 2n ** 63n - 1n;
const ticksPerMillisecond = 10_000;
const moments = new Set(['datetime', 'smalldatetime']);
const finer = new Set(['datetime2', 'datetimeoffset']);

/**
 * How constants of a wider type, in which SQL Server compares, are compared with a column: `N < 2.5` is `N <= 2`.
 * Undefined unless every value of the column is one of that type too, in the same order.
 */
export function floorIn(type: AnyType, common: AnyType): ToFloor | undefined {
  // Moments are stored in milliseconds; a coarser type would round the column's.
  if (moments.has(type.name)) return finer.has(common.name) && common.scale >= 3 ? floorOfInstant : undefined;
  const family = familyOf(type.name);
  if (family !== 'integer' && family !== 'bit') return undefined;
  if (familyOf(common.name) === 'decimal') return floorOfDecimal;
  return common.name === 'float' && type.name !== 'bigint' ? floorOfFloat : undefined;
}

// Each is only called with values of its own type.
const floorOfInstant: ToFloor = (constant) => {
  const instant = constant as Instant;
  return { value: dateOf(instant), isSame: instant.ticks % ticksPerMillisecond === 0 };
};

const floorOfDecimal: ToFloor = (constant) => {
  const { unscaled, scale } = constant as Decimal;
  const divisor = tenTo(scale);
  const isSame = unscaled % divisor === 0n;
  // Division truncates towards zero.
  return within(unscaled / divisor - (unscaled < 0n && !isSame ? 1n : 0n), isSame);
};

const floorOfFloat: ToFloor = (constant) => {
  const number = Number(constant);
  return within(BigInt(Math.floor(number)), Number.isInteger(number));
};

const within = (value: bigint, isSame: boolean): Floor | undefined =>
  value < least || value > greatest ? undefined : { value, isSame };
