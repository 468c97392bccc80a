import { SqlError, sqlError } from '../../base/messages/sql-error.ts';
import type { Steps } from '../../base/threads/steps.ts';
import type { AnyType, TypedValue } from '../types/sql-type.ts';
import { type Family, familyOf, nameInMessage } from './families.ts';
import { permission } from './matrix.ts';
import type { DateOrder } from './parse-date.ts';
import { toBytes, toRowversion } from './to-bytes.ts';
import { toDecimal, toMoney } from './to-decimal.ts';
import { toFloat } from './to-float.ts';
import { toGuid } from './to-guid.ts';
import { toBit, toInteger } from './to-integer.ts';
import { toDateOrTime } from './to-moment.ts';
import { toText } from './to-text.ts';
import { normalXml, normalXmlSteps, refuseWrongEncoding } from './to-xml.ts';

/** The options of a conversion. */
export interface ConvertOptions {
  /** False for CAST and CONVERT, which allow more than implicit conversions do. */
  readonly implicit: boolean;
  /** The style argument of CONVERT. */
  readonly style?: number;
  /**
   * True inside T-SQL, where overlong text is truncated and a failure has its specific number (245, 241, 8169, …). A
   * procedure's argument (the default for implicit conversions) is refused with 8152 and 8114 instead.
   */
  readonly expression?: boolean;
  /** True to refuse overlong text and bytes with 8152 in T-SQL too, as for the column of a table. */
  readonly verifyLength?: boolean;
  /** SET DATEFORMAT; month, day, year by default. */
  readonly dateOrder?: DateOrder;
}

type Converter = (value: unknown, from: AnyType, to: AnyType, how: Settings) => unknown;
interface Settings {
  readonly style: number | undefined;
  readonly verify: boolean;
  readonly order: DateOrder;
  /**
   * True for values of T-SQL itself, which have the form of their type; an argument keeps the form in which it arrived.
   */
  readonly normal: boolean;
}

const converters: Record<Family, Converter> = {
  integer: toInteger,
  bit: toBit,
  decimal: toDecimal,
  money: toMoney,
  float: toFloat,
  text: (value, from, to, how) => toText(value, from, to, how.style, how.verify),
  xml: toXml,
  bytes: (value, from, to, how) => toBytes(value, from, to, how.style, how.verify),
  rowversion: (value, from, to, how) => toRowversion(value, from, to, how.style),
  moment: (value, from, to, how) => toDateOrTime(value, from, to, how.style, how.order),
  guid: toGuid,
  variant: (value, from): TypedValue => ({ type: from, value }),
  table: (value) => value,
};

function toXml(value: unknown, from: AnyType, to: AnyType, { style, verify, normal }: Settings): string {
  const document = toText(value, from, to, style, verify);
  refuseWrongEncoding(document, from);
  return normal ? normalXml(document, style === preserveBlanks) : document;
}

/** CAST and similar conversions to xml, in steps: parsing a long document takes long. */
export function* xmlSteps(value: unknown, from: AnyType, to: AnyType, options: ConvertOptions): Steps<unknown> {
  if (value === null || value === undefined || from.name === 'sql_variant') return convert(value, from, to, options);
  refuseForbidden(from, to, options.implicit);
  const document = toText(value, from, to, options.style, false);
  refuseWrongEncoding(document, from);
  return yield* normalXmlSteps(document, options.style === preserveBlanks);
}

/** The style of CONVERT that preserves blanks between elements. */
const preserveBlanks = 1;

/** The numbers of failed conversions; for an argument of a procedure all of them become 8114. */
const failures = new Set([220, 232, 234, 235, 241, 242, 244, 245, 248, 281, 295, 8115, 8169, 8170]);

/** Converts a value of one type to another as SQL Server does; NULL stays NULL. */
export function convert(
  value: unknown,
  from: AnyType,
  to: AnyType,
  options: ConvertOptions = { implicit: true },
): unknown {
  if (value === null || value === undefined) return null;
  if (from.name === 'sql_variant') return fromVariant(value as TypedValue, from, to, options);
  refuseForbidden(from, to, options.implicit);
  const expression = options.expression ?? !options.implicit;
  const how: Settings = {
    style: options.style,
    verify: options.verifyLength ?? !expression,
    order: options.dateOrder ?? 'mdy',
    normal: expression,
  };
  if (expression) return converters[familyOf(to.name)](value, from, to, how);
  try {
    return converters[familyOf(to.name)](value, from, to, how);
  } catch (error) {
    if (!(error instanceof SqlError) || !failures.has(error.number)) throw error;
    throw new SqlError(8114, sqlError(8114, from.name, nameInMessage(to.name)).message, { state: 5, cause: error });
  }
}

/** Throws 257 or 206 for conversions that are not implicit, 529 for those that CAST cannot do either. */
export function refuseForbidden(from: AnyType, to: AnyType, implicit: boolean): void {
  const allowed = permission(from.name, to.name);
  if (allowed === 'implicit' || (allowed === 'explicit' && !implicit)) return;
  const names = [nameInMessage(from.name), nameInMessage(to.name)];
  if (allowed === 'explicit') throw sqlError(257, ...names);
  throw implicit ? sqlError(206, ...names) : sqlError(529, ...names);
}

/** A sql_variant converts as the value in it does, but only explicitly. */
function fromVariant(value: TypedValue, from: AnyType, to: AnyType, options: ConvertOptions): unknown {
  if (to.name === 'sql_variant') return value;
  if (options.implicit) refuseForbidden(from, to, true);
  return convert(value.value, value.type, to, options);
}
