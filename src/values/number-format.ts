/** A number in decimal digits: `digits` holds all of them, the last `scale` are after the point. */
export interface Digits {
  readonly negative: boolean;
  readonly digits: bigint;
  readonly scale: number;
}

/** A double or a real, as far as its digits can be trusted. */
export function digitsOf(value: number, precision: 7 | 15): Digits {
  const [mantissa = '0', exponent = '0'] = Math.abs(value)
    .toExponential(precision - 1)
    .split('e');
  const scale = precision - 1 - Number(exponent);
  const digits = BigInt(mantissa.replace('.', ''));
  const negative = value < 0;
  return scale < 0 ? { negative, digits: digits * 10n ** BigInt(-scale), scale: 0 } : { negative, digits, scale };
}

/** Rounds half away from zero, or fills up with zeros. */
export function rounded({ negative, digits, scale }: Digits, places: number): Digits {
  if (scale <= places) return { negative, digits: digits * 10n ** BigInt(places - scale), scale: places };
  const unit = 10n ** BigInt(scale - places);
  return { negative, digits: (digits + unit / 2n) / unit, scale: places };
}

/** The digits before and after the point. */
export function parts({ digits, scale }: Digits): { whole: string; fraction: string } {
  const text = digits.toString().padStart(scale + 1, '0');
  return { whole: text.slice(0, text.length - scale), fraction: text.slice(text.length - scale) };
}

const grouped = (whole: string): string => whole.replace(/\B(?=(\d{3})+$)/g, ',');

function fixed(number: Digits, places: number, groups: boolean): string {
  const { whole, fraction } = parts(rounded(number, places));
  return `${groups ? grouped(whole) : whole}${places > 0 ? `.${fraction}` : ''}`;
}

const isZero = (text: string): boolean => !/[1-9]/.test(text);
const signed = (number: Digits, text: string): string => (number.negative && !isZero(text) ? `-${text}` : text);
const times = ({ negative, digits, scale }: Digits, power: number): Digits => ({
  negative,
  digits: digits * 10n ** BigInt(Math.max(0, power - scale)),
  scale: Math.max(0, scale - power),
});

function scientific(number: Digits, places: number, letter: string, exponentDigits: number): string {
  const all = number.digits.toString();
  if (number.digits === 0n)
    return `0${places > 0 ? `.${'0'.repeat(places)}` : ''}${letter}+${'0'.repeat(exponentDigits)}`;
  let exponent = all.length - 1 - number.scale;
  let mantissa = rounded({ negative: false, digits: number.digits, scale: all.length - 1 }, places);
  if (parts(mantissa).whole.length > 1) {
    exponent++;
    mantissa = rounded({ negative: false, digits: number.digits, scale: all.length }, places);
  }
  const { whole, fraction } = parts(mantissa);
  const power = `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(exponentDigits, '0')}`;
  return signed(number, `${whole}${places > 0 ? `.${fraction}` : ''}${letter}${power}`);
}

/** The shortest form: plain digits, or with an exponent where those would be many zeros. */
function general(number: Digits, significant: number, letter: string, trims: boolean): string {
  const length = number.digits.toString().length;
  const exponent = number.digits === 0n ? 0 : length - 1 - number.scale;
  if (exponent >= significant || exponent < -5) {
    const [mantissa = '', power = ''] = scientific(number, significant - 1, letter, 2).split(letter);
    return `${mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa}${letter}${power}`;
  }
  const text = fixed(number, Math.max(0, Math.min(number.scale, significant - 1 - exponent)), false);
  return signed(number, trims && text.includes('.') ? text.replace(/\.?0+$/, '') : text);
}

/** What kind of number is formatted: an integer has its size in bits. */
export type NumberKind = { readonly bits: 8 | 16 | 32 | 64 } | 'decimal' | 'double' | 'real';

/** A number in a standard .NET format in the culture en-US, such as N2; undefined if the format is invalid. */
export function standardNumber(number: Digits, format: string, kind: NumberKind): string | undefined {
  const found = /^([A-Za-z])(\d{0,2})$/.exec(format);
  if (found === null) return undefined;
  const [, letter = '', given = ''] = found;
  const places = (otherwise: number): number => (given === '' ? otherwise : Number(given));
  switch (letter.toUpperCase()) {
    case 'C': {
      const text = `$${fixed(number, places(2), true)}`;
      return number.negative && !isZero(text) ? `(${text})` : text;
    }
    case 'D':
      if (typeof kind !== 'object') return undefined;
      return signed(number, parts(number).whole.padStart(places(0), '0'));
    case 'E':
      return scientific(number, places(6), letter, 3);
    case 'F':
      return signed(number, fixed(number, places(2), false));
    case 'G':
      return generalOf(number, places(0), letter === 'g' ? 'e' : 'E', kind);
    case 'N':
      return signed(number, fixed(number, places(2), true));
    case 'P':
      return signed(number, `${fixed(times(number, 2), places(2), true)} %`);
    case 'X':
      return hexadecimal(number, letter === 'x', places(0), kind);
    default:
      return undefined;
  }
}

function generalOf(number: Digits, given: number, letter: string, kind: NumberKind): string {
  const usual = kind === 'double' ? 15 : kind === 'real' ? 7 : 40;
  return general(number, given === 0 ? usual : given, letter, kind === 'double' || kind === 'real' || given > 0);
}

function hexadecimal(number: Digits, lower: boolean, places: number, kind: NumberKind): string | undefined {
  if (typeof kind !== 'object') return undefined;
  const text = BigInt.asUintN(kind.bits, number.negative ? -number.digits : number.digits).toString(16);
  return (lower ? text : text.toUpperCase()).padStart(places, '0');
}
