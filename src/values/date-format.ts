import { byName } from '../base/by-name.ts';
import { ticksPerMinute, ticksPerSecond } from '../tds/convert/moment.ts';
import { startOfDay } from '../tds/types/instant.ts';

/** What a clock and a calendar show, and how many minutes the clock is ahead of UTC, if known. */
interface Shown {
  readonly day: number;
  readonly ticks: number;
  readonly offset: number | undefined;
}

/** The months and the days of the week, from January and from Sunday on. */
export const months = 'January February March April May June July August September October November December'.split(
  ' ',
);
export const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/** The standard formats of .NET in the culture en-US. */
const standard: Readonly<Record<string, string>> = byName({
  d: 'M/d/yyyy',
  D: 'dddd, MMMM d, yyyy',
  f: 'dddd, MMMM d, yyyy h:mm tt',
  F: 'dddd, MMMM d, yyyy h:mm:ss tt',
  g: 'M/d/yyyy h:mm tt',
  G: 'M/d/yyyy h:mm:ss tt',
  m: 'MMMM d',
  M: 'MMMM d',
  o: "yyyy'-'MM'-'dd'T'HH':'mm':'ss'.'fffffffK",
  O: "yyyy'-'MM'-'dd'T'HH':'mm':'ss'.'fffffffK",
  r: "ddd, dd MMM yyyy HH':'mm':'ss 'GMT'",
  R: "ddd, dd MMM yyyy HH':'mm':'ss 'GMT'",
  s: "yyyy'-'MM'-'dd'T'HH':'mm':'ss",
  t: 'h:mm tt',
  T: 'h:mm:ss tt',
  u: "yyyy'-'MM'-'dd HH':'mm':'ss'Z'",
  U: 'dddd, MMMM d, yyyy h:mm:ss tt',
  y: 'MMMM yyyy',
  Y: 'MMMM yyyy',
});

const padded = (value: number, width: number): string => String(value).padStart(width, '0');

function zone(offset: number | undefined, width: number): string {
  const minutes = Math.abs(offset ?? 0);
  const hours = padded(Math.floor(minutes / 60), Math.min(width, 2));
  return `${(offset ?? 0) < 0 ? '-' : '+'}${hours}${width > 2 ? `:${padded(minutes % 60, 2)}` : ''}`;
}

function fieldsOf({ day, ticks, offset }: Shown) {
  const date = startOfDay(day);
  const second = Math.floor(ticks / ticksPerSecond);
  const minute = Math.floor(ticks / ticksPerMinute);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    hour: Math.floor(minute / 60),
    minute: minute % 60,
    second: second % 60,
    fraction: padded(ticks % ticksPerSecond, 7),
    offset,
  };
}

/** A letter of a custom format, repeated, for a moment. */
function field(letter: string, count: number, of: ReturnType<typeof fieldsOf>): string | undefined {
  const number = (value: number) => padded(value, Math.min(count, 2));
  switch (letter) {
    case 'y':
      return count < 3 ? padded(of.year % 100, count) : padded(of.year, count);
    case 'M':
      return count < 3 ? number(of.month) : (months[of.month - 1] ?? '').slice(0, count === 3 ? 3 : undefined);
    case 'd':
      return count < 3 ? number(of.day) : (days[of.weekday] ?? '').slice(0, count === 3 ? 3 : undefined);
    case 'H':
      return number(of.hour);
    case 'h':
      return number(of.hour % 12 === 0 ? 12 : of.hour % 12);
    case 'm':
      return number(of.minute);
    case 's':
      return number(of.second);
    case 'f':
      return count > 7 ? undefined : of.fraction.slice(0, count);
    case 'F':
      return count > 7 ? undefined : of.fraction.slice(0, count).replace(/0+$/, '');
    case 't':
      return (of.hour < 12 ? 'AM' : 'PM').slice(0, count === 1 ? 1 : 2);
    case 'g':
      return 'A.D.';
    case 'z':
      return zone(of.offset, count);
    default:
      return of.offset === undefined ? '' : zone(of.offset, 3);
  }
}

/** A moment in a .NET format in the culture en-US; undefined if the format is invalid. */
export function formattedMoment(moment: Shown, format: string): string | undefined {
  const custom = format.length === 1 ? standard[format] : format;
  if (custom === undefined || custom === '') return undefined;
  const fields = fieldsOf(moment);
  const token = /\\(.)|'([^']*)'|"([^"]*)"|%|(([dfFghHmMstyz])\5*)|(K)|([\\'"])|(.)/gsu;
  let text = '';
  for (const [, escaped, single, double, run, letter = '', kind, stray, other] of custom.matchAll(token)) {
    if (stray !== undefined) return undefined;
    const literal = escaped ?? single ?? double ?? other;
    if (literal !== undefined) text += literal;
    else if (run !== undefined || kind !== undefined) {
      const written = field(kind ?? letter, run?.length ?? 1, fields);
      if (written === undefined) return undefined;
      // Decimals that are not there take the point before them along.
      text = written === '' && letter === 'F' ? text.replace(/\.$/, '') : text + written;
    }
  }
  return text;
}

/** A time of the day as .NET formats a span of time: whatever is no letter has to be escaped. */
export function formattedTime(ticks: number, format: string): string | undefined {
  const { hour, minute, second, fraction } = fieldsOf({ day: 0, ticks, offset: undefined });
  const plain = `${padded(hour, 2)}:${padded(minute, 2)}:${padded(second, 2)}`;
  const decimals = Number(fraction) === 0 ? '' : `.${fraction}`;
  if (/^[ctT]$/.test(format)) return `${plain}${decimals}`;
  if (format === 'g') return `${hour}:${padded(minute, 2)}:${padded(second, 2)}${decimals.replace(/0+$/, '')}`;
  if (format === 'G') return `0:${plain}.${fraction}`;
  if (format.length === 1) return undefined;
  const numbers: Readonly<Record<string, number>> = { d: 0, h: hour, m: minute, s: second };
  const token = /\\(.)|'([^']*)'|"([^"]*)"|%|(([dfFhms])\5*)|(.)/gsu;
  let text = '';
  for (const [, escaped, single, double, run, letter = '', other] of format.matchAll(token)) {
    if (other !== undefined) return undefined;
    const count = run?.length ?? 0;
    if (run === undefined) text += escaped ?? single ?? double ?? '';
    else if (letter === 'f') text += fraction.slice(0, count);
    else if (letter === 'F') text += fraction.slice(0, count).replace(/0+$/, '');
    else if (count > 2 && letter !== 'd') return undefined;
    else text += padded(numbers[letter] ?? 0, count);
  }
  return text;
}
