import { sqlError } from '../../base/messages/sql-error.ts';
import type { Instant } from '../types/instant.ts';
import type { AnyType } from '../types/sql-type.ts';
import { addTicks, baseDay, dayOfCalendar, fromMoment, ticksPerMinute } from './moment.ts';
import { type DateOrder, parseDate } from './parse-date.ts';
import { type ParsedTime, takeTime } from './parse-time.ts';

const dayFirst = new Set([3, 4, 5, 6, 13, 103, 104, 105, 106, 113, 130, 131]);
const yearFirst = new Set([2, 11, 12, 20, 21, 102, 111, 112, 120, 121, 126, 127]);
const midnight: ParsedTime = { ticks: 0, digits: 0 };

/** The order of day, month and year that a style of CONVERT prescribes. */
function orderOf(style: number | undefined, byDefault: DateOrder): DateOrder {
  if (style === undefined || style === 0 || style === 100) return byDefault;
  if (dayFirst.has(style)) return 'dmy';
  return yearFirst.has(style) ? 'ymd' : 'mdy';
}

function unquoteOdbc(text: string): string {
  const found = /^\{\s*(?:ts|d|t)\s*'([^']*)'\s*\}$/i.exec(text);
  return found?.[1] ?? text;
}

const longest = 100;

/**
 * The literal without insignificant blanks; undefined if it is longer than any valid one, since the patterns try each
 * blank again.
 */
function shortened(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length <= longest) return trimmed;
  let single = '';
  for (const [word] of trimmed.matchAll(/\S+/g)) {
    if (single.length + word.length > longest) return undefined;
    single += single === '' ? word : ` ${word}`;
  }
  return single;
}

/**
 * Parses every form of date and time literal that SQL Server accepts, as a value of the type; 241 or 242 if it is
 * invalid.
 */
export function parseMoment(
  text: string,
  from: AnyType,
  to: AnyType,
  style: number | undefined,
  order: DateOrder,
): unknown {
  const failed = () => (to.name === 'smalldatetime' ? sqlError(295) : sqlError(241));
  const short = shortened(text);
  if (short === undefined) throw failed();
  const literal = unquoteOdbc(short);
  const taken = takeTime(literal);
  if (taken === null) throw to.name === 'datetime' ? sqlError(242, from.name, to.name) : failed();
  const { rest, time } = taken ?? { rest: literal, time: midnight };
  const datetime = to.name === 'datetime' || to.name === 'smalldatetime';
  if (datetime && time.digits > 3) throw failed();
  const written = rest.trim().replace(/T$/, '');
  const date = written === '' ? { year: 1900, month: 1, day: 1 } : parseDate(written, orderOf(style, order));
  if (date === undefined) throw failed();
  const day = written === '' ? baseDay : dayOfCalendar(date.year, date.month, date.day);
  if (day === undefined) throw datetime ? sqlError(242, from.name, to.name) : failed();
  return fromMoment(withOffset({ day, ticks: time.ticks }, time.offset, to), to, from.name);
}

/** With an offset, the literal is a moment in UTC; datetime takes its UTC time, the other types its local time. */
function withOffset(local: Instant, offset: number | undefined, to: AnyType): Instant {
  if (offset === undefined) return local;
  const utc = addTicks(local, -offset * ticksPerMinute);
  if (to.name === 'datetimeoffset') return { ...utc, offset };
  return to.name === 'datetime' || to.name === 'smalldatetime' ? utc : local;
}
