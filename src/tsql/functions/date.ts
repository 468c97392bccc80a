import { SqlError, sqlError } from '../../base/messages/sql-error.ts';
import type { FunctionCall } from '../../syntax/ast/expression.ts';
import { convert } from '../../tds/convert/convert.ts';
import { familyOf } from '../../tds/convert/families.ts';
import { addTicks, dayOfCalendar, fromMoment, localOf, ticksPerMinute, toMoment } from '../../tds/convert/moment.ts';
import * as t from '../../tds/types/index.ts';
import { dayOf, type Instant, instantOf, lastDay, startOfDay } from '../../tds/types/instant.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { days, months } from '../../values/date-format.ts';
import { type DatePart, datePartOf, difference, partOf, unitTicks } from '../../values/date-parts.ts';
import { coerce } from '../evaluate/coerce.ts';
import type { Compiled } from '../evaluate/compiled.ts';
import type { Context, FunctionSpec } from '../evaluate/context.ts';
import { dateTrunc } from './date-trunc.ts';
import { derived, seeingNulls, simple } from './define.ts';

/** A function of the statement's moment. */
const moment = (type: AnyType): FunctionSpec => ({
  min: 0,
  max: 0,
  compile: (_, { now }) => ({ type, nullable: false, evaluate: () => fromMoment(instantOf(now), type, 'datetime2') }),
});

function partArgument(call: FunctionCall): string {
  const [first] = call.args;
  if (first?.kind !== 'column' || first.parts.length !== 1) throw sqlError(155, '', call.name.toLowerCase());
  return first.parts[0] ?? '';
}

/** Text is treated as datetime2, so that early dates and fine fractions both work. */
function asMoment(arg: Compiled, context: Context): Compiled {
  return familyOf(arg.type.name) === 'moment'
    ? arg
    : coerce(arg, familyOf(arg.type.name) === 'text' ? t.datetimeoffset(7) : t.datetime, context);
}

function withPart(
  max: number,
  compile: (part: DatePart, args: readonly Compiled[], context: Context) => Compiled,
): FunctionSpec {
  return {
    min: max,
    max,
    datePart: true,
    compile: (args, context, call) => compile(datePartOf(partArgument(call), call.name), args, context),
  };
}

function datePart(
  part: DatePart,
  args: readonly Compiled[],
  context: Context,
  show: (value: number, local: Instant) => unknown,
  type: AnyType,
): Compiled {
  const [arg] = args.map((each) => asMoment(each, context));
  if (arg === undefined) throw sqlError(174, 'datepart', 2);
  return derived(type, [arg], ([value]) => {
    const found = toMoment(value, arg.type);
    const local = localOf(found);
    return show(partOf(part, local, found.offset ?? 0, context.frame.host.options.dateFirst), local);
  });
}

function partName(part: DatePart, value: number, local: Instant): string {
  if (part === 'month') return months[value - 1] ?? '';
  if (part === 'weekday') return days[(local.day + 1) % 7] ?? '';
  return String(value);
}

function addMonths(value: Instant, months: number): Instant {
  const date = startOfDay(value.day);
  const total = date.getUTCFullYear() * 12 + date.getUTCMonth() + months;
  const year = Math.floor(total / 12);
  const month = (total % 12) + 1;
  for (let day = date.getUTCDate(); day >= 28; day--) {
    const found = dayOfCalendar(year, month, day);
    if (found !== undefined) return { ...value, day: found };
  }
  const found = dayOfCalendar(year, month, date.getUTCDate());
  if (found === undefined) throw sqlError(517, 'datetime');
  return { ...value, day: found };
}

function added(part: DatePart, value: Instant, count: number): Instant {
  const months = { year: 12, quarter: 3, month: 1 }[part as 'year'];
  if (months !== undefined) return addMonths(value, count * months);
  const unit = unitTicks[part];
  if (unit !== undefined) return addTicks(value, Math.round(count * unit));
  if (part === 'tzoffset' || part === 'iso_week') throw sqlError(155, part, 'dateadd');
  return { ...value, day: value.day + count * (part === 'week' ? 7 : 1) };
}

function dateAdd(part: DatePart, args: readonly Compiled[], context: Context): Compiled {
  const [count, target] = args;
  if (count === undefined || target === undefined) throw sqlError(174, 'dateadd', 3);
  const date = familyOf(target.type.name) === 'moment' ? target : coerce(target, t.datetime, context);
  return derived(date.type, [coerce(count, t.int, context), date], ([number, value]) => {
    const result = added(part, toMoment(value, date.type), Number(number));
    if (date.type.name !== 'time' && (result.day < 0 || result.day > lastDay)) throw sqlError(517, date.type.name);
    try {
      return fromMoment(result, date.type, date.type.name);
    } catch (error) {
      throw error instanceof SqlError ? sqlError(517, date.type.name) : error;
    }
  });
}

function dateDiff(part: DatePart, args: readonly Compiled[], context: Context, type: AnyType, name: string): Compiled {
  const [from, to] = args.map((arg) => asMoment(arg, context));
  if (from === undefined || to === undefined) throw sqlError(174, name, 3);
  return derived(type, [from, to], ([a, b]) => {
    const count = difference(part, toMoment(a, from.type), toMoment(b, to.type));
    if (type.name === 'bigint') return count;
    if (BigInt.asIntN(32, count) !== count) throw sqlError(535, name, name);
    return Number(count);
  });
}

const field = (part: DatePart): FunctionSpec => ({
  min: 1,
  max: 1,
  compile: (args, context) => datePart(part, args, context, (value) => value, t.int),
});

function isDate(value: unknown, type: AnyType, { frame }: Context): number {
  if (value === null) return 0;
  if (familyOf(type.name) === 'moment') return type.name === 'datetime' || type.name === 'smalldatetime' ? 1 : 0;
  try {
    convert(value, type, t.datetime, { implicit: false, dateOrder: frame.host.options.dateFormat });
    return 1;
  } catch {
    return 0;
  }
}

function endOfMonth(value: unknown, months: unknown): Date {
  const date = value as Date;
  const next = addMonths({ day: dayOf(date) - date.getUTCDate() + 1, ticks: 0 }, Number(months ?? 0) + 1);
  return startOfDay(next.day - 1);
}

function fromParts(values: readonly unknown[], type: AnyType, ticks: number): unknown {
  const [year, month, day] = values.map(Number);
  const found = dayOfCalendar(year ?? 0, month ?? 0, day ?? 0);
  if (found === undefined) throw sqlError(289, type.name);
  return fromMoment({ day: found, ticks }, type, type.name);
}

function switchOffset(value: unknown, zone: unknown): Instant {
  const moved = value as Instant;
  return { ...moved, offset: offsetOf(zone) };
}

function offsetOf(zone: unknown): number {
  const found = /^([+-])(\d{1,2}):(\d{2})$/.exec(String(zone).trim());
  if (found === null) throw sqlError(9812, String(zone));
  return (Number(found[2]) * 60 + Number(found[3])) * (found[1] === '-' ? -1 : 1);
}

/** The functions on dates and times. */
export const dateFunctions: Readonly<Record<string, FunctionSpec>> = {
  GETDATE: moment(t.datetime),
  CURRENT_TIMESTAMP: moment(t.datetime),
  GETUTCDATE: moment(t.datetime),
  SYSDATETIME: moment(t.datetime2(7)),
  SYSUTCDATETIME: moment(t.datetime2(7)),
  SYSDATETIMEOFFSET: moment(t.datetimeoffset(7)),
  DATEADD: withPart(3, dateAdd),
  DATETRUNC: withPart(2, dateTrunc),
  DATEDIFF: withPart(3, (part, args, context) => dateDiff(part, args, context, t.int, 'datediff')),
  DATEDIFF_BIG: withPart(3, (part, args, context) => dateDiff(part, args, context, t.bigint, 'datediff_big')),
  DATEPART: withPart(2, (part, args, context) => datePart(part, args, context, (value) => value, t.int)),
  DATENAME: withPart(2, (part, args, context) =>
    datePart(part, args, context, (value, local) => partName(part, value, local), t.nvarchar(30)),
  ),
  YEAR: field('year'),
  MONTH: field('month'),
  DAY: field('day'),
  ISDATE: seeingNulls('any', t.int, ([value], context, [type]) => isDate(value, type ?? t.int, context)),
  EOMONTH: simple('date, int?', t.date, ([value, months]) => endOfMonth(value, months)),
  DATEFROMPARTS: simple('int, int, int', t.date, (values) => fromParts(values, t.date, 0)),
  DATETIMEFROMPARTS: simple('int, int, int, int, int, int, int', t.datetime, (values) =>
    fromParts(
      values,
      t.datetime,
      ((Number(values[3]) * 60 + Number(values[4])) * 60 + Number(values[5])) * 1e7 + Number(values[6]) * 1e4,
    ),
  ),
  SWITCHOFFSET: simple('datetimeoffset, text', t.datetimeoffset(7), ([value, zone]) => switchOffset(value, zone)),
  TODATETIMEOFFSET: simple('datetime2, text', t.datetimeoffset(7), ([value, zone]) => ({
    ...addTicks(value as Instant, -offsetOf(zone) * ticksPerMinute),
    offset: offsetOf(zone),
  })),
};
