import { ruleBroken, sqlError } from '../../base/messages/sql-error.ts';
import { familyOf } from '../../tds/convert/families.ts';
import { localOf, toMoment } from '../../tds/convert/moment.ts';
import type { Decimal } from '../../tds/types/decimal.ts';
import * as t from '../../tds/types/index.ts';
import type { Instant } from '../../tds/types/instant.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { customNumber } from '../../values/custom-number.ts';
import { formattedMoment, formattedTime } from '../../values/date-format.ts';
import { type Digits, digitsOf, type NumberKind, standardNumber } from '../../values/number-format.ts';
import { coerce } from '../evaluate/coerce.ts';
import type { FunctionSpec } from '../evaluate/context.ts';
import { compiledBy } from './define.ts';

/** The one culture that numbers and dates are formatted in. */
const culture = 'en-us';

const bits: Readonly<Record<string, NumberKind>> = {
  bigint: { bits: 64 },
  int: { bits: 32 },
  smallint: { bits: 16 },
  tinyint: { bits: 8 },
  float: 'double',
  real: 'real',
};

function digits(value: unknown, type: AnyType): Digits {
  if (type.name === 'float' || type.name === 'real') return digitsOf(Number(value), type.name === 'real' ? 7 : 15);
  // Any other number is kept as a decimal.
  const { unscaled, scale } =
    typeof value === 'number' || typeof value === 'bigint' ? { unscaled: BigInt(value), scale: 0 } : (value as Decimal);
  return { negative: unscaled < 0n, digits: unscaled < 0n ? -unscaled : unscaled, scale };
}

function numberText(value: unknown, type: AnyType, format: string): string | undefined {
  const number = digits(value, type);
  if (/^[A-Za-z]\d{0,2}$/.test(format) || format === '') {
    return standardNumber(number, format === '' ? 'G' : format, bits[type.name] ?? 'decimal');
  }
  const text = customNumber(number, format);
  if (text === undefined)
    throw ruleBroken('FORMAT does not support exponents in custom formats; use the standard format E.');
  return text;
}

function momentText(value: unknown, type: AnyType, format: string): string | undefined {
  // Of a time only the ticks count.
  if (type.name === 'time') return formattedTime((value as Instant).ticks, format === '' ? 'c' : format);
  const moment = toMoment(value, type);
  const offset = type.name === 'datetimeoffset' ? (moment.offset ?? 0) : undefined;
  return formattedMoment({ ...localOf(moment), offset }, format === '' ? 'G' : format);
}

const numeric: ReadonlySet<string> = new Set(['integer', 'decimal', 'money', 'float']);

/** FORMAT(value, format [, culture]) as .NET formats in the culture en-US; NULL for a format that is none. */
const format = compiledBy(2, 3, ([value, pattern, wanted], context) => {
  const family = familyOf(value.type.name);
  const write = family === 'moment' ? momentText : numeric.has(family) ? numberText : undefined;
  if (write === undefined && !value.bare) throw sqlError(8116, value.type.name, 1, 'format');
  const text = coerce(pattern, t.nvarchar(4000), context);
  const name = wanted === undefined ? undefined : coerce(wanted, t.nvarchar(100), context);
  const { options } = context.frame.host;
  return {
    type: t.nvarchar(4000),
    nullable: true,
    evaluate(env) {
      const asked =
        name === undefined ? (options.language === 'us_english' ? culture : options.language) : name.evaluate(env);
      if (String(asked).toLowerCase() !== culture) throw sqlError(9818, String(asked));
      const found = value.evaluate(env);
      const how = text.evaluate(env);
      if (found === null || how === null) return null;
      return write?.(found, value.type, String(how))?.slice(0, 4000) ?? null;
    },
  };
});

/** FORMAT: numbers and dates as text for people. */
export const formatFunctions: Readonly<Record<string, FunctionSpec>> = { FORMAT: format };
