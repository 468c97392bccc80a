import { sqlError } from '../../base/messages/sql-error.ts';
import type { StoredValue } from '../../base/stored.ts';
import type { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { badValue } from '../stream-error.ts';
import { byteLengthType } from './byte-length-type.ts';
import { madeOnce } from './made-once.ts';
import { mismatch } from './mismatch.ts';
import type { SqlType, TypeName } from './sql-type.ts';

/** An exact number: `unscaled` divided by ten to the power of `scale`. */
export interface Decimal {
  readonly unscaled: bigint;
  readonly scale: number;
}

const powers = Array.from({ length: 78 }, (_, exponent) => 10n ** BigInt(exponent));

/** Ten to the power of a small whole number. */
export const tenTo = (exponent: number): bigint => powers[exponent] ?? 10n ** BigInt(exponent);

/** True for a value that is an exact number. */
export function isDecimal(value: unknown): value is Decimal {
  return (
    typeof value === 'object' &&
    value !== null &&
    'unscaled' in value &&
    typeof value.unscaled === 'bigint' &&
    'scale' in value &&
    Number.isInteger(value.scale) &&
    Number(value.scale) >= 0
  );
}

/** The same number with another scale, rounded half away from zero. */
export function rescale(value: Decimal, scale: number): Decimal {
  if (value.scale === scale) return value;
  if (value.scale < scale) return { unscaled: value.unscaled * tenTo(scale - value.scale), scale };
  const divisor = tenTo(value.scale - scale);
  const half = value.unscaled < 0n ? -divisor / 2n : divisor / 2n;
  return { unscaled: (value.unscaled + half) / divisor, scale };
}

/** As T-SQL writes it: `-12.50`. */
export function formatDecimal({ unscaled, scale }: Decimal): string {
  const sign = unscaled < 0n ? '-' : '';
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0');
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** The storage of an exact number with a scale. */
export const storedDecimal = (name: TypeName, scale: number) => ({
  fromStore(stored: Exclude<StoredValue, null>): Decimal {
    const value = parseDecimal(String(stored));
    if (value === undefined) throw mismatch(stored, name);
    return rescale(value, scale);
  },
  toStore: formatDecimal,
});

const mostDigits = 400;
const withoutLeadingZeros = (digits: string): string => digits.slice(/[1-9]|$/.exec(digits)?.index ?? 0);

/** Parses the output of `formatDecimal`; undefined for anything that is not a plain decimal number. */
export function parseDecimal(text: string): Decimal | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text);
  const [, sign = '', given = '', digits = ''] = match ?? [];
  if (given === '' && digits === '') return undefined;
  // A number that exceeds every type may be given in fewer digits: the time to parse them grows faster than their
  // number.
  const significant = given.length > mostDigits ? withoutLeadingZeros(given) : given;
  const whole = significant.length > mostDigits ? significant.slice(0, mostDigits) : significant;
  const fraction = digits.length > mostDigits ? digits.slice(0, mostDigits) : digits;
  const unscaled = BigInt(whole + fraction);
  return { unscaled: sign === '-' ? -unscaled : unscaled, scale: fraction.length };
}

/** The size of a decimal with its sign, by precision (MS-TDS 2.2.5.5.1.6). */
const sizeOf = (precision: number): number => (precision <= 9 ? 5 : precision <= 19 ? 9 : precision <= 28 ? 13 : 17);

/** The size of the longest decimal. */
const longest = 17;

function writeBody(out: ByteWriter, unscaled: bigint, size: number): void {
  out.u8(unscaled < 0n ? 0 : 1);
  let rest = unscaled < 0n ? -unscaled : unscaled;
  for (let at = 1; at < size; at += 4) {
    out.u32(Number(rest & 0xffffffffn));
    rest >>= 32n;
  }
}

/** SQL Server writes 5, 9, 13 or 17 bytes; jTDS sends only as many as the number needs. */
const anySize = Array.from({ length: 16 }, (_, at) => at + 2);

function readBody(bytes: ByteReader, length: number, name: string): bigint {
  const sign = bytes.u8();
  if (sign > 1) throw badValue(bytes.subject, name);
  let magnitude = 0n;
  let at = 1;
  for (; at + 4 <= length; at += 4) magnitude |= BigInt(bytes.u32()) << BigInt((at - 1) * 8);
  for (; at < length; at++) magnitude |= BigInt(bytes.u8()) << BigInt((at - 1) * 8);
  return sign === 0 ? -magnitude : magnitude;
}

function exact(name: 'decimal' | 'numeric', typeByte: number, precision: number, scale: number): SqlType<Decimal> {
  if (!(precision >= 1 && precision <= 38 && scale >= 0 && scale <= precision)) {
    throw sqlError(8115, 'expression', name);
  }
  const limit = tenTo(precision);
  const size = sizeOf(precision);
  const fits = ({ unscaled }: Decimal): boolean => unscaled < limit && unscaled > -limit;
  return byteLengthType(
    {
      name,
      declaration: `${name}(${precision},${scale})`,
      maxLength: size,
      precision,
      scale,
      // SQL Server always announces the longest form; SqlBulkCopy writes values of the announced length.
      info: [typeByte, longest, precision, scale],
      variantByte: typeByte,
      variantProperties: [precision, scale],
      check(value) {
        if (!isDecimal(value)) throw mismatch(value, name);
        const scaled = rescale(value, scale);
        if (!fits(scaled)) throw sqlError(8115, name, name);
        return scaled;
      },
      ...storedDecimal(name, scale),
    },
    {
      size,
      otherSizes: anySize,
      write: (out, value) => writeBody(out, value.unscaled, size),
      // SqlClient always reads the maximum size of a decimal, whatever the length of the variant.
      writeVariant: (out, value) => writeBody(out, value.unscaled, longest),
      read(bytes, length) {
        const value = { unscaled: readBody(bytes, length, name), scale };
        if (!fits(value)) throw badValue(bytes.subject, name);
        return value;
      },
    },
  );
}

const madeFor = (name: 'decimal' | 'numeric', typeByte: number) => {
  const made = madeOnce((precision: number) => madeOnce((scale: number) => exact(name, typeByte, precision, scale)));
  return (precision = 18, scale = 0): SqlType<Decimal> => made(precision)(scale);
};

/** An exact number of up to 38 digits. */
export const decimal = madeFor('decimal', 0x6a);

/** The same as decimal, under its other name. */
export const numeric = madeFor('numeric', 0x6c);
