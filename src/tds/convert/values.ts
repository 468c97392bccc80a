import { type Decimal, formatDecimal, rescale, tenTo } from '../types/decimal.ts';

/** Integer division, rounded half away from zero. */
export function divideRounding(dividend: bigint, divisor: bigint): bigint {
  const negative = dividend < 0n !== divisor < 0n;
  const n = dividend < 0n ? -dividend : dividend;
  const d = divisor < 0n ? -divisor : divisor;
  const rounded = (n * 2n + d) / (d * 2n);
  return negative ? -rounded : rounded;
}

/** The nearest double. */
export const exactToNumber = (value: Decimal): number => Number(formatDecimal(value));

/**
 * A finite double as an exact number with the given number of decimals, rounded half away from zero by its decimal
 * digits.
 */
export function exactFromNumber(value: number, scale: number): Decimal {
  const [mantissa = '0', exponent = '0'] = value.toExponential(16).split('e');
  const digits = BigInt(mantissa.replace('.', ''));
  const decimals = 16 - Number(exponent);
  if (decimals < 0) return rescale({ unscaled: digits * tenTo(-decimals), scale: 0 }, scale);
  return rescale({ unscaled: digits, scale: decimals }, scale);
}
