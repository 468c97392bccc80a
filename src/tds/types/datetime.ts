import { sqlError } from '../../base/messages/sql-error.ts';
import { badValue } from '../stream-error.ts';
import { byteLengthType } from './byte-length-type.ts';
import { mismatch } from './mismatch.ts';
import type { SqlType } from './sql-type.ts';

const dateTimeN = 0x6f;
const dayMs = 86_400_000;
const minuteMs = 60_000;
const ticksPerDay = 300 * 86_400;
/** 1900-01-01, from which both types count days. */
const epoch = Date.UTC(1900, 0, 1);
const earliest = Date.UTC(1753, 0, 1);
const beyond = Date.UTC(10_000, 0, 1);
const earliestSmall = epoch;
const beyondSmall = epoch + 65_536 * dayMs;

interface Moment {
  readonly days: number;
  /** The time of day in units of 1/300 second. */
  readonly ticks: number;
}

function momentOf(milliseconds: number): Moment {
  const days = Math.floor((milliseconds - epoch) / dayMs);
  const ofDay = milliseconds - epoch - days * dayMs;
  const ticks = Math.floor((ofDay * 3 + 5) / 10);
  return ticks === ticksPerDay ? { days: days + 1, ticks: 0 } : { days, ticks };
}

const millisecondsOf = ({ days, ticks }: Moment): number => epoch + days * dayMs + Math.floor((ticks * 10 + 1.5) / 3);

/** A moment rounded to a datetime: to 1/300 of a second, shown as .000, .003 and .007. */
export const roundToDatetime = (date: Date): Date => new Date(millisecondsOf(momentOf(date.getTime())));

/** A moment rounded to a smalldatetime: 29.998 seconds round down, 29.999 up. */
export const roundToSmalldatetime = (date: Date): Date =>
  new Date(Math.floor((roundToDatetime(date).getTime() + minuteMs / 2) / minuteMs) * minuteMs);

function checked(value: unknown, name: string, round: (date: Date) => Date, from: number, to: number): Date {
  if (!(value instanceof Date)) throw mismatch(value, name);
  const rounded = round(value);
  const time = rounded.getTime();
  if (!(time >= from && time < to)) throw sqlError(242, 'datetime2', name);
  return rounded;
}

const fromStore = (stored: string | number | bigint | Uint8Array): Date => new Date(Number(stored));

/** A moment from 1753 to 9999, to 1/300 of a second. */
export const datetime: SqlType<Date> = byteLengthType(
  {
    name: 'datetime',
    declaration: 'datetime',
    maxLength: 8,
    precision: 23,
    scale: 3,
    info: [dateTimeN, 8],
    variantByte: 0x3d,
    hasFixedForm: true,
    check: (value) => checked(value, 'datetime', roundToDatetime, earliest, beyond),
    fromStore,
    toStore: (value) => value,
  },
  {
    size: 8,
    write(out, value) {
      const { days, ticks } = momentOf(value.getTime());
      out.i32(days);
      out.u32(ticks);
    },
    read(bytes) {
      const moment = { days: bytes.i32(), ticks: bytes.u32() };
      const time = millisecondsOf(moment);
      if (moment.ticks >= ticksPerDay || time < earliest || time >= beyond) throw badValue(bytes.subject, 'datetime');
      return new Date(time);
    },
  },
);

/** A moment from 1900 to 2079-06-06, to the minute. */
export const smalldatetime: SqlType<Date> = byteLengthType(
  {
    name: 'smalldatetime',
    declaration: 'smalldatetime',
    maxLength: 4,
    precision: 16,
    scale: 0,
    info: [dateTimeN, 4],
    variantByte: 0x3a,
    hasFixedForm: true,
    check: (value) => checked(value, 'smalldatetime', roundToSmalldatetime, earliestSmall, beyondSmall),
    fromStore,
    toStore: (value) => value,
  },
  {
    size: 4,
    write(out, value) {
      const minutes = Math.floor((value.getTime() - epoch) / minuteMs);
      out.u16(Math.floor(minutes / 1440));
      out.u16(minutes % 1440);
    },
    read(bytes) {
      const days = bytes.u16();
      const minutes = bytes.u16();
      if (minutes >= 1440) throw badValue(bytes.subject, 'smalldatetime');
      return new Date(epoch + days * dayMs + minutes * minuteMs);
    },
  },
);
