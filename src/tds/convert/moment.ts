import { type SqlError, sqlError } from '../../base/messages/sql-error.ts';
import { roundToDatetime, roundToSmalldatetime } from '../types/datetime.ts';
import {
  dateOf,
  dayOf,
  type Instant,
  instantOf,
  lastDay,
  roundTicks,
  roundTicksOfDay,
  startOfDay,
  ticksPerDay,
} from '../types/instant.ts';
import type { AnyType } from '../types/sql-type.ts';

export const ticksPerSecond = 10_000_000;
export const ticksPerMinute = 60 * ticksPerSecond;

/** The default date: 1900-01-01. */
export const baseDay = 693_595;
const firstDatetime = Date.UTC(1753, 0, 1);
const beyondDatetime = Date.UTC(10_000, 0, 1);
const firstSmalldatetime = Date.UTC(1900, 0, 1);
const beyondSmalldatetime = Date.UTC(2079, 5, 7);

/** A calendar date as days since 0001-01-01, or undefined if there is no such date. */
export function dayOfCalendar(year: number, month: number, day: number): number | undefined {
  if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 ? dayOf(date) : undefined;
}

/** A moment plus some ticks, which may be negative. */
export function addTicks(moment: Instant, ticks: number): Instant {
  const sum = moment.ticks + ticks;
  const days = Math.floor(sum / ticksPerDay);
  return { ...moment, day: moment.day + days, ticks: sum - days * ticksPerDay };
}

/** The local time of a moment with an offset, without the offset. */
export function localOf({ day, ticks, offset }: Instant): Instant {
  return offset ? addTicks({ day, ticks }, offset * ticksPerMinute) : { day, ticks };
}

/** Any value of a date or time type as a moment; a time without a date is on 1900-01-01. */
export function toMoment(value: unknown, from: AnyType): Instant {
  if (value instanceof Date) return instantOf(value);
  // The value is of type `from`: if it is not a Date, it is an Instant.
  const moment = value as Instant;
  return from.name === 'time' ? { day: baseDay, ticks: moment.ticks } : moment;
}

const outOfRange = (sourceName: string, to: AnyType): SqlError => sqlError(242, sourceName, to.name);

/** A moment as a value of a date or time type, rounded as that type rounds; 242 if it is out of range. */
export function fromMoment(moment: Instant, to: AnyType, sourceName: string): unknown {
  const local = localOf(moment);
  switch (to.name) {
    case 'datetime':
      return within(nearestDatetime(local), firstDatetime, beyondDatetime, to, sourceName);
    case 'smalldatetime':
      return within(roundToSmalldatetime(roundedDate(local)), firstSmalldatetime, beyondSmalldatetime, to, sourceName);
    case 'date':
      return startOfDay(local.day);
    case 'time':
      return { day: 0, ticks: roundTicksOfDay(local.ticks, to.scale) };
    default:
      return scaled(to.name === 'datetimeoffset' ? { offset: 0, ...moment } : local, to, sourceName);
  }
}

/** The nearest 1/300 of a second, computed from the ticks: .6349999 is .633, although its milliseconds are .635. */
function nearestDatetime({ day, ticks }: Instant): Date {
  const parts = Math.round((ticks * 3) / 100_000);
  return roundToDatetime(new Date(startOfDay(day).getTime() + Math.round((parts * 10) / 3)));
}

/** A Date holds milliseconds, so finer ticks are rounded first; a minute is not affected by this. */
const roundedDate = (moment: Instant): Date => dateOf(addTicks({ ...moment, ticks: 0 }, roundTicks(moment.ticks, 3)));

function within(date: Date, first: number, beyond: number, to: AnyType, sourceName: string): Date {
  if (date.getTime() < first || date.getTime() >= beyond) throw outOfRange(sourceName, to);
  return date;
}

function scaled(moment: Instant, to: AnyType, sourceName: string): Instant {
  const ticks = (moment.day === lastDay ? roundTicksOfDay : roundTicks)(moment.ticks, to.scale);
  const rounded = addTicks({ ...moment, ticks: 0 }, ticks);
  if (rounded.day < 0 || rounded.day > lastDay) throw outOfRange(sourceName, to);
  return rounded;
}
