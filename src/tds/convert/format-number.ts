import { sqlError } from '../../base/messages/sql-error.ts';
import { type Decimal, formatDecimal, rescale } from '../types/decimal.ts';

/**
 * A float as text: style 0 has up to six digits, 1 eight and 2 sixteen in scientific notation, 3 all significant ones.
 */
export function formatFloat(value: number, style: number | undefined): string {
  switch (style ?? 0) {
    case 1:
      return scientific(value, 7);
    case 2:
      return scientific(value, 15);
    case 3:
    case 128:
    case 129:
      return scientific(value, 16);
    default:
      return general(value);
  }
}

function scientific(value: number, decimals: number): string {
  const [mantissa = '', exponent = '+0'] = value.toExponential(decimals).split('e');
  return `${mantissa}e${threeDigits(exponent)}`;
}

/** C's %g with six digits, but with an exponent of three digits as SQL Server writes it. */
function general(value: number): string {
  if (value === 0) return '0';
  const [mantissa = '', exponent = '+0'] = value.toExponential(5).split('e');
  const power = Number(exponent);
  if (power < -5 || power >= 6) return `${trimZeros(mantissa)}e${threeDigits(exponent)}`;
  return trimZeros(value.toFixed(Math.max(0, 5 - power)));
}

const trimZeros = (digits: string): string => (digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits);
const threeDigits = (exponent: string): string => `${exponent[0]}${exponent.slice(1).padStart(3, '0')}`;

/** Money as text: two decimals, with commas in style 1, four decimals in styles 2 and 126. */
export function formatMoney(value: Decimal, style: number | undefined): string {
  switch (style ?? 0) {
    case 0:
      return formatDecimal(rescale(value, 2));
    case 1:
      return formatDecimal(rescale(value, 2)).replace(/\B(?=(\d{3})+\.)/g, ',');
    case 2:
    case 126:
      return formatDecimal(rescale(value, 4));
    default:
      throw sqlError(281, String(style), 'money');
  }
}
