import { byName } from '../base/by-name.ts';
import { sqlError } from '../base/messages/sql-error.ts';
import { dayOfCalendar, ticksPerMinute, ticksPerSecond } from '../tds/convert/moment.ts';
import { type Instant, startOfDay } from '../tds/types/instant.ts';

/** The parts of a date that DATEPART, DATEADD and DATEDIFF know. */
export type DatePart =
  | 'year'
  | 'quarter'
  | 'month'
  | 'dayofyear'
  | 'day'
  | 'week'
  | 'weekday'
  | 'hour'
  | 'minute'
  | 'second'
  | 'millisecond'
  | 'microsecond'
  | 'nanosecond'
  | 'tzoffset'
  | 'iso_week';

const names: Readonly<Record<string, DatePart>> = byName({
  year: 'year',
  yy: 'year',
  yyyy: 'year',
  quarter: 'quarter',
  qq: 'quarter',
  q: 'quarter',
  month: 'month',
  mm: 'month',
  m: 'month',
  dayofyear: 'dayofyear',
  dy: 'dayofyear',
  y: 'dayofyear',
  day: 'day',
  dd: 'day',
  d: 'day',
  week: 'week',
  wk: 'week',
  ww: 'week',
  weekday: 'weekday',
  dw: 'weekday',
  w: 'weekday',
  hour: 'hour',
  hh: 'hour',
  minute: 'minute',
  mi: 'minute',
  n: 'minute',
  second: 'second',
  ss: 'second',
  s: 'second',
  millisecond: 'millisecond',
  ms: 'millisecond',
  microsecond: 'microsecond',
  mcs: 'microsecond',
  nanosecond: 'nanosecond',
  ns: 'nanosecond',
  tzoffset: 'tzoffset',
  tz: 'tzoffset',
  iso_week: 'iso_week',
  isowk: 'iso_week',
  isoww: 'iso_week',
});

/** The part of that name; 155 if there is none. */
export function datePartOf(name: string, forFunction: string): DatePart {
  const part = names[name.toLowerCase()];
  if (part === undefined) throw sqlError(155, name, forFunction.toLowerCase());
  return part;
}

/** The units of time of fixed length, in ticks of 100 ns; a nanosecond is a hundredth of one. */
export const unitTicks: Readonly<Partial<Record<DatePart, number>>> = {
  hour: 60 * ticksPerMinute,
  minute: ticksPerMinute,
  second: ticksPerSecond,
  millisecond: 10_000,
  microsecond: 10,
  nanosecond: 0.01,
};

const yearStart = (date: Date): number => dayOfCalendar(date.getUTCFullYear(), 1, 1) ?? 0;

/** 1 to 7, counted from SET DATEFIRST; 0001-01-01 was a Monday. */
const weekdayOf = (day: number, dateFirst: number): number => ((day + 8 - dateFirst) % 7) + 1;

function weekOf(day: number, dateFirst: number): number {
  const start = yearStart(startOfDay(day));
  return Math.floor((day - start + weekdayOf(start, dateFirst) - 1) / 7) + 1;
}

/** ISO 8601: the week belongs to the year of its Thursday. */
function isoWeek(day: number): number {
  const thursday = day - (day % 7) + 3;
  return Math.floor((thursday - yearStart(startOfDay(thursday))) / 7) + 1;
}

/** DATEPART of a moment told in its own zone. */
export function partOf(part: DatePart, local: Instant, offset: number, dateFirst: number): number {
  const date = startOfDay(local.day);
  switch (part) {
    case 'year':
      return date.getUTCFullYear();
    case 'quarter':
      return Math.floor(date.getUTCMonth() / 3) + 1;
    case 'month':
      return date.getUTCMonth() + 1;
    case 'dayofyear':
      return local.day - yearStart(date) + 1;
    case 'day':
      return date.getUTCDate();
    case 'week':
      return weekOf(local.day, dateFirst);
    case 'weekday':
      return weekdayOf(local.day, dateFirst);
    case 'iso_week':
      return isoWeek(local.day);
    case 'tzoffset':
      return offset;
    default:
      return partOfClock(part, local.ticks);
  }
}

function partOfClock(part: DatePart, ticks: number): number {
  switch (part) {
    case 'hour':
      return Math.floor(ticks / (60 * ticksPerMinute));
    case 'minute':
      return Math.floor(ticks / ticksPerMinute) % 60;
    case 'second':
      return Math.floor(ticks / ticksPerSecond) % 60;
    case 'millisecond':
      return Math.floor((ticks % ticksPerSecond) / 10_000);
    case 'microsecond':
      return Math.floor((ticks % ticksPerSecond) / 10);
    default:
      return (ticks % ticksPerSecond) * 100;
  }
}

/** DATEDIFF: how many boundaries of the part lie between two moments. */
export function difference(part: DatePart, from: Instant, to: Instant): bigint {
  const months = (moment: Instant) =>
    startOfDay(moment.day).getUTCFullYear() * 12 + startOfDay(moment.day).getUTCMonth();
  switch (part) {
    case 'year':
      return BigInt(startOfDay(to.day).getUTCFullYear() - startOfDay(from.day).getUTCFullYear());
    case 'quarter':
      return BigInt(Math.floor(months(to) / 3) - Math.floor(months(from) / 3));
    case 'month':
      return BigInt(months(to) - months(from));
    case 'day':
    case 'dayofyear':
    case 'weekday':
      return BigInt(to.day - from.day);
    case 'week':
    case 'iso_week':
      // Weeks begin on Sunday here, whatever DATEFIRST is.
      return BigInt(Math.floor((to.day + 1) / 7) - Math.floor((from.day + 1) / 7));
    default:
      return clockDifference(part, from, to);
  }
}

function clockDifference(part: DatePart, from: Instant, to: Instant): bigint {
  const ticks = ({ day, ticks: clock }: Instant) => BigInt(day) * 864_000_000_000n + BigInt(clock);
  if (part === 'nanosecond') return (ticks(to) - ticks(from)) * 100n;
  const unit = BigInt(unitTicks[part] ?? 1);
  return ticks(to) / unit - ticks(from) / unit;
}

/** DATETRUNC of a moment told in its own zone: where its part begins. */
export function beginningOf(part: DatePart, local: Instant, dateFirst: number): Instant {
  const unit = unitTicks[part];
  if (unit !== undefined) return { ...local, ticks: local.ticks - (local.ticks % unit) };
  return { ...local, day: beginningDay(part, local.day, dateFirst), ticks: 0 };
}

function beginningDay(part: DatePart, day: number, dateFirst: number): number {
  const date = startOfDay(day);
  const ofMonth = day - date.getUTCDate() + 1;
  switch (part) {
    case 'year':
      return yearStart(date);
    case 'quarter':
      return dayOfCalendar(date.getUTCFullYear(), date.getUTCMonth() - (date.getUTCMonth() % 3) + 1, 1) ?? ofMonth;
    case 'month':
      return ofMonth;
    case 'week':
      return day - weekdayOf(day, dateFirst) + 1;
    case 'iso_week':
      return day - (day % 7);
    default:
      return day;
  }
}
