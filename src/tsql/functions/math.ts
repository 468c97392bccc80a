import { randomInt } from 'node:crypto';
import { sqlError } from '../../base/messages/sql-error.ts';
import { convert } from '../../tds/convert/convert.ts';
import { familyOf } from '../../tds/convert/families.ts';
import { type Decimal, rescale, tenTo } from '../../tds/types/decimal.ts';
import * as t from '../../tds/types/index.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { coerce } from '../evaluate/coerce.ts';
import type { Compiled } from '../evaluate/compiled.ts';
import type { Context, FunctionSpec } from '../evaluate/context.ts';
import { compiledBy, derived, simple } from './define.ts';

/** A function of one float. */
const real = (apply: (value: number) => number): FunctionSpec =>
  simple('float', t.float, ([value]) => finite(apply(Number(value))));

function finite(value: number): number {
  if (Number.isNaN(value)) throw sqlError(3623);
  if (!Number.isFinite(value)) throw sqlError(8115, 'expression', 'float');
  return value;
}

/** The number types keep themselves; text becomes float, small integers int. */
function numberOf(arg: Compiled, context: Context): Compiled {
  const family = familyOf(arg.type.name);
  if (family === 'decimal' || family === 'money' || family === 'float' || arg.type.name === 'bigint') return arg;
  return family === 'integer' || family === 'bit' ? coerce(arg, t.int, context) : coerce(arg, t.float, context);
}

/** A function that keeps the type of its first argument, unless `typeOf` says otherwise. */
const keeping = (
  min: 1 | 2,
  max: number,
  apply: (value: unknown, type: AnyType, rest: readonly number[]) => unknown,
  typeOf = (type: AnyType): AnyType => type,
): FunctionSpec =>
  compiledBy(min, max, ([first, ...others], context) => {
    const number = numberOf(first, context);
    const type = typeOf(number.type);
    const all = [number, ...others.map((arg) => coerce(arg, t.int, context))];
    return derived(type, all, ([value, ...rest]) => apply(value, type, rest.map(Number)));
  });

/** A decimal loses its places with FLOOR and CEILING: both of them are whole numbers. */
function whole(type: AnyType): AnyType {
  if (familyOf(type.name) !== 'decimal') return type;
  return (type.name === 'numeric' ? t.numeric : t.decimal)(type.precision, 0);
}

const isExact = (type: AnyType): boolean => familyOf(type.name) === 'decimal' || familyOf(type.name) === 'money';

function checked(value: unknown, type: AnyType): unknown {
  return convert(value, type.name === 'bigint' ? t.decimal(38, 0) : t.float, type, { implicit: false });
}

function absolute(value: unknown, type: AnyType): unknown {
  if (isExact(type)) {
    const { unscaled, scale } = value as Decimal;
    return { unscaled: unscaled < 0n ? -unscaled : unscaled, scale };
  }
  if (typeof value !== 'bigint') {
    const positive = Math.abs(Number(value));
    return type.name === 'int' ? checked(positive, type) : positive;
  }
  if (value === -9_223_372_036_854_775_808n) throw sqlError(8115, 'expression', 'bigint');
  return value < 0n ? -value : value;
}

function towards(value: unknown, type: AnyType, direction: 'floor' | 'ceil'): unknown {
  if (typeof value === 'bigint') return value;
  if (!isExact(type)) return Math[direction](Number(value));
  const { unscaled, scale } = value as Decimal;
  const unit = tenTo(scale);
  const cut = unscaled / unit;
  const exact = cut * unit === unscaled;
  const shift = exact ? 0n : direction === 'floor' ? (unscaled < 0n ? -1n : 0n) : unscaled > 0n ? 1n : 0n;
  return rescale({ unscaled: cut + shift, scale: 0 }, type.scale);
}

/** ROUND: to decimals, or to tens where negative; with a third argument other than 0 it cuts. */
function round(value: unknown, type: AnyType, [places = 0, cut = 0]: readonly number[]): unknown {
  if (isExact(type)) return roundExact(value as Decimal, places, cut !== 0, type);
  if (typeof value === 'bigint' || type.name === 'int') {
    const exact = roundExact(
      { unscaled: BigInt(value as bigint | number), scale: 0 },
      places,
      cut !== 0,
      t.decimal(38, 0),
    );
    return checked(type.name === 'bigint' ? exact : Number(exact.unscaled), type);
  }
  // So small a factor that it is none leaves nothing.
  const factor = 10 ** places;
  if (factor === 0) return 0;
  const scaled = Number(value) * factor;
  const whole = cut !== 0 ? Math.trunc(scaled) : Math.sign(scaled) * Math.round(Math.abs(scaled));
  return Number.isFinite(scaled) ? whole / factor : value;
}

/** No number has this many digits before its point: rounded to that power of ten, it is 0. */
const mostTens = 39;

function roundExact(value: Decimal, places: number, cut: boolean, type: AnyType): Decimal {
  if (places >= value.scale) return value;
  const unit = tenTo(value.scale + Math.min(-places, mostTens));
  const half = cut ? 0n : unit / 2n;
  const shifted = (value.unscaled + (value.unscaled < 0n ? -half : half)) / unit;
  const result = { unscaled: shifted * unit, scale: value.scale };
  const limit = tenTo(type.precision);
  if (result.unscaled >= limit || result.unscaled <= -limit) throw sqlError(8115, 'expression', 'numeric');
  return result;
}

function sign(value: unknown, type: AnyType): unknown {
  if (isExact(type)) {
    const { unscaled } = value as Decimal;
    return rescale({ unscaled: unscaled > 0n ? 1n : unscaled < 0n ? -1n : 0n, scale: 0 }, type.scale);
  }
  if (typeof value === 'bigint') return value > 0n ? 1n : value < 0n ? -1n : 0n;
  return Math.sign(Number(value));
}

const power = compiledBy(2, 2, ([base, exponent], context) => {
  const { type } = numberOf(base, context);
  const floats = [numberOf(base, context), exponent].map((arg) => coerce(arg, t.float, context));
  return derived(type, floats, ([a, b]) => convert(finite(Number(a) ** Number(b)), t.float, type, { implicit: false }));
});

/** The mathematical functions. */
export const mathFunctions: Readonly<Record<string, FunctionSpec>> = {
  ABS: keeping(1, 1, absolute),
  FLOOR: keeping(1, 1, (value, type) => towards(value, type, 'floor'), whole),
  CEILING: keeping(1, 1, (value, type) => towards(value, type, 'ceil'), whole),
  ROUND: keeping(2, 3, round),
  SIGN: keeping(1, 1, sign),
  POWER: power,
  SQRT: real(Math.sqrt),
  SQUARE: real((value) => value * value),
  EXP: real(Math.exp),
  LOG: simple('float, float?', t.float, ([value, base]) =>
    finite(Math.log(Number(value)) / (base === undefined ? 1 : Math.log(Number(base)))),
  ),
  LOG10: real(Math.log10),
  SIN: real(Math.sin),
  COS: real(Math.cos),
  TAN: real(Math.tan),
  COT: real((value) => 1 / Math.tan(value)),
  ASIN: real(Math.asin),
  ACOS: real(Math.acos),
  ATAN: real(Math.atan),
  ATN2: simple('float, float', t.float, ([y, x]) => Math.atan2(Number(y), Number(x))),
  PI: simple('', t.float, () => Math.PI),
  DEGREES: real((value) => (value * 180) / Math.PI),
  RADIANS: real((value) => (value * Math.PI) / 180),
  RAND: simple('int?', t.float, ([seed]) => (seed === undefined ? randomInt(2 ** 47) / 2 ** 47 : seeded(Number(seed)))),
};

/** The same seed gives the same number. */
function seeded(seed: number): number {
  const mixed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d);
  return ((mixed ^ (mixed >>> 12)) >>> 0) / 2 ** 32;
}
