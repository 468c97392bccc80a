import { type SqlError, sqlError } from '../base/messages/sql-error.ts';
import { familyOf } from '../tds/convert/families.ts';
import { fits } from '../tds/convert/to-integer.ts';
import { type Decimal, rescale, tenTo } from '../tds/types/decimal.ts';
import type { AnyType } from '../tds/types/sql-type.ts';
import { asDecimal, decimalWithin } from './precedence.ts';

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%' | '&' | '|' | '^';

/** An operation on two numbers, neither of them NULL. */
export type Operation = (a: unknown, b: unknown) => unknown;

/** What messages call an operator. */
export const operatorName: Record<ArithmeticOperator, string> = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '%': 'modulo',
  '&': "'&'",
  '|': "'|'",
  '^': "'^'",
};

const overflow = (type: AnyType): SqlError =>
  sqlError(8115, 'expression', type.name === 'decimal' ? 'numeric' : type.name);

/** Integers of any size, with the range of the type. */
export function integerOperation(operator: ArithmeticOperator, type: AnyType): Operation {
  const compute = wholeOperations[operator];
  return (a, b) => {
    return wholeIn(compute(BigInt(a as bigint | number), BigInt(b as bigint | number)), type);
  };
}

/** A whole number as a value of an integer type: 8115 beyond its range. */
export function wholeIn(value: bigint, type: AnyType): bigint | number {
  if (!fits(value, type.name)) throw overflow(type);
  return type.name === 'bigint' ? value : Number(value);
}

const refuseZero = (divisor: bigint): bigint => {
  if (divisor === 0n) throw sqlError(8134);
  return divisor;
};

const wholeOperations: Record<ArithmeticOperator, (a: bigint, b: bigint) => bigint> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / refuseZero(b),
  '%': (a, b) => a % refuseZero(b),
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
};

/** float and real. */
function floatOperation(operator: ArithmeticOperator, type: AnyType): Operation {
  return (a, b) => {
    const [left, right] = [Number(a), Number(b)];
    if ((operator === '/' || operator === '%') && right === 0) throw sqlError(8134);
    const result = {
      '+': left + right,
      '-': left - right,
      '*': left * right,
      '/': left / right,
      '%': left % right,
      '&': 0,
      '|': 0,
      '^': 0,
    }[operator];
    const rounded = type.name === 'real' ? Math.fround(result) : result;
    if (!Number.isFinite(rounded)) throw overflow(type);
    return rounded;
  };
}

/** The type of an operation on exact numbers, by SQL Server's rules of precision and scale. */
export function decimalResult(
  operator: ArithmeticOperator,
  a: AnyType,
  b: AnyType,
  left = asDecimal(a),
  right = asDecimal(b),
): AnyType {
  const whole = Math.max(left.precision - left.scale, right.precision - right.scale);
  const scale = Math.max(left.scale, right.scale);
  switch (operator) {
    case '*':
      return decimalWithin(left.precision + right.precision + 1, left.scale + right.scale);
    case '/': {
      const decimals = Math.max(6, left.scale + right.precision + 1);
      return decimalWithin(left.precision - left.scale + right.scale + decimals, decimals);
    }
    case '%':
      return decimalWithin(Math.min(left.precision - left.scale, right.precision - right.scale) + scale, scale);
    default:
      return decimalWithin(whole + scale + 1, scale);
  }
}

/** decimal and money: exact, then cut (a quotient) or rounded (a product) to the type's scale. */
export function decimalOperation(operator: ArithmeticOperator, type: AnyType): Operation {
  return (a, b) => {
    const exact = compute(operator, a as Decimal, b as Decimal, type.scale);
    const rounded = rescale(exact, type.scale);
    const within =
      familyOf(type.name) === 'money'
        ? BigInt.asIntN(type.name === 'money' ? 64 : 32, rounded.unscaled) === rounded.unscaled
        : magnitude(rounded.unscaled) < tenTo(type.precision);
    if (!within) throw overflow(type);
    return rounded;
  };
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

function compute(operator: ArithmeticOperator, a: Decimal, b: Decimal, scale: number): Decimal {
  if (operator === '*') return { unscaled: a.unscaled * b.unscaled, scale: a.scale + b.scale };
  if (operator === '/') {
    const dividend = a.unscaled * tenTo(scale + b.scale);
    return { unscaled: dividend / (refuseZero(b.unscaled) * tenTo(a.scale)), scale };
  }
  const common = Math.max(a.scale, b.scale);
  const left = rescale(a, common).unscaled;
  const right = rescale(b, common).unscaled;
  return { unscaled: wholeOperations[operator](left, right), scale: common };
}

/** What does arithmetic on each family of numbers. */
export const operations = {
  integer: integerOperation,
  decimal: decimalOperation,
  money: decimalOperation,
  float: floatOperation,
} as const;
