import { sqlError } from '../../base/messages/sql-error.ts';
import { type Instant, startOfDay } from '../types/instant.ts';
import type { AnyType } from '../types/sql-type.ts';
import { hijriOf } from './hijri.ts';
import { localOf, ticksPerMinute, ticksPerSecond } from './moment.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

interface Parts {
  readonly year: number;
  readonly month: number;
  readonly date: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly ticks: number;
  readonly scale: number;
  readonly offset: number | undefined;
  readonly utc: Instant;
}

const two = (value: number): string => String(value).padStart(2, '0');
const four = (value: number): string => String(value).padStart(4, '0');
const yy = (p: Parts): string => two(p.year % 100);
const mon = (p: Parts): string => months[p.month - 1] ?? '';
const hms = (p: Parts): string => `${two(p.hour)}:${two(p.minute)}:${two(p.second)}`;
const half = (p: Parts): string => (p.hour < 12 ? 'AM' : 'PM');
const hour12 = (p: Parts): string => String(p.hour % 12 === 0 ? 12 : p.hour % 12).padStart(2, ' ');
const iso = (p: Parts): string => `${four(p.year)}-${two(p.month)}-${two(p.date)}`;
/** The fraction of a second, with as many digits as the type has. */
const digits = (p: Parts): string => String(p.ticks).padStart(7, '0').slice(0, p.scale);
const dotted = (p: Parts): string => (p.scale === 0 ? '' : `.${digits(p)}`);
/** datetime puts a colon before its milliseconds, the newer types a point. */
const fraction = (p: Parts, old: boolean): string => (old ? `:${digits(p)}` : dotted(p));
const zone = (offset: number): string =>
  `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
const spacedZone = (p: Parts): string => (p.offset === undefined ? '' : ` ${zone(p.offset)}`);

interface Style {
  readonly date: (p: Parts) => string;
  readonly time?: (p: Parts, old: boolean) => string;
  readonly between?: string;
}

const shortTime = (p: Parts): string => `${hour12(p)}:${two(p.minute)}${half(p)}`;
const longTime = (p: Parts, old: boolean): string =>
  `${hour12(p)}:${two(p.minute)}:${two(p.second)}${fraction(p, old)}${half(p)}`;
const canonical = (p: Parts): string => `${hms(p)}${dotted(p)}${spacedZone(p)}`;
const isoTime = (p: Parts): string => `${hms(p)}${p.ticks === 0 ? '' : dotted(p)}`;
const medium = (p: Parts): string => `${mon(p)} ${String(p.date).padStart(2, ' ')} ${four(p.year)}`;
const none = (): string => '';

function hijriDate(p: Parts, words: boolean): string {
  const { year, month, day, name } = hijriOf(p.utc.day);
  return words
    ? `${String(day).padStart(2, ' ')} ${name} ${year}`
    : `${String(day).padStart(2, ' ')}/${two(month)}/${year}`;
}

const styles: Readonly<Record<number, Style>> = {
  0: { date: medium, time: shortTime },
  1: { date: (p) => `${two(p.month)}/${two(p.date)}/${yy(p)}` },
  2: { date: (p) => `${yy(p)}.${two(p.month)}.${two(p.date)}` },
  3: { date: (p) => `${two(p.date)}/${two(p.month)}/${yy(p)}` },
  4: { date: (p) => `${two(p.date)}.${two(p.month)}.${yy(p)}` },
  5: { date: (p) => `${two(p.date)}-${two(p.month)}-${yy(p)}` },
  6: { date: (p) => `${two(p.date)} ${mon(p)} ${yy(p)}` },
  7: { date: (p) => `${mon(p)} ${two(p.date)}, ${yy(p)}` },
  8: { date: none, time: hms },
  9: { date: medium, time: longTime },
  10: { date: (p) => `${two(p.month)}-${two(p.date)}-${yy(p)}` },
  11: { date: (p) => `${yy(p)}/${two(p.month)}/${two(p.date)}` },
  12: { date: (p) => `${yy(p)}${two(p.month)}${two(p.date)}` },
  13: { date: (p) => `${two(p.date)} ${mon(p)} ${four(p.year)}`, time: (p, old) => `${hms(p)}${fraction(p, old)}` },
  14: { date: none, time: (p, old) => `${hms(p)}${fraction(p, old)}` },
  20: { date: iso, time: (p) => `${hms(p)}${spacedZone(p)}` },
  21: { date: iso, time: canonical },
  22: {
    date: (p) => `${two(p.month)}/${two(p.date)}/${yy(p)}`,
    time: (p) => `${hour12(p)}:${two(p.minute)}:${two(p.second)} ${half(p)}`,
  },
  23: { date: iso },
  24: { date: none, time: hms },
  25: { date: iso, time: canonical },
  101: { date: (p) => `${two(p.month)}/${two(p.date)}/${four(p.year)}` },
  102: { date: (p) => `${four(p.year)}.${two(p.month)}.${two(p.date)}` },
  103: { date: (p) => `${two(p.date)}/${two(p.month)}/${four(p.year)}` },
  104: { date: (p) => `${two(p.date)}.${two(p.month)}.${four(p.year)}` },
  105: { date: (p) => `${two(p.date)}-${two(p.month)}-${four(p.year)}` },
  106: { date: (p) => `${two(p.date)} ${mon(p)} ${four(p.year)}` },
  107: { date: (p) => `${mon(p)} ${two(p.date)}, ${four(p.year)}` },
  110: { date: (p) => `${two(p.month)}-${two(p.date)}-${four(p.year)}` },
  111: { date: (p) => `${four(p.year)}/${two(p.month)}/${two(p.date)}` },
  112: { date: (p) => `${four(p.year)}${two(p.month)}${two(p.date)}` },
  126: { date: iso, time: (p) => `${isoTime(p)}${p.offset === undefined ? '' : zone(p.offset)}`, between: 'T' },
  127: { date: iso, time: (p) => `${isoTime(p)}${p.offset === undefined ? '' : 'Z'}`, between: 'T' },
  130: { date: (p) => hijriDate(p, true), time: longTime },
  131: { date: (p) => hijriDate(p, false), time: longTime },
};

/** Styles that equal another style with a century, or a second number for it. */
const sameAs: Readonly<Record<number, number>> = { 100: 0, 108: 8, 109: 9, 113: 13, 114: 14, 120: 20, 121: 21 };

/**
 * A date or time as text in a style of CONVERT; the default is style 0 for datetime and style 121 for the newer types.
 */
export function formatMoment(value: Instant, from: AnyType, style: number | undefined): string {
  const old = from.name === 'datetime' || from.name === 'smalldatetime';
  const number = style ?? (old ? 0 : 121);
  const rule = styles[sameAs[number] ?? number];
  if (rule === undefined) throw sqlError(281, number, from.name);
  const parts = partsOf(number === 127 ? { day: value.day, ticks: value.ticks } : value, from, number === 127);
  const date = from.name === 'time' ? '' : rule.date(parts);
  const time = from.name === 'date' ? '' : (rule.time?.(parts, old) ?? '');
  if (date === '' && time === '' && from.name === 'time' && rule.time === undefined)
    throw sqlError(281, number, from.name);
  return date === '' || time === '' ? `${date}${time}` : `${date}${rule.between ?? ' '}${time}`;
}

function partsOf(value: Instant, from: AnyType, inUtc: boolean): Parts {
  const scale = from.name === 'datetime' || from.name === 'smalldatetime' ? 3 : from.scale;
  const local = localOf(value);
  const date = startOfDay(local.day);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    date: date.getUTCDate(),
    hour: Math.floor(local.ticks / (60 * ticksPerMinute)),
    minute: Math.floor(local.ticks / ticksPerMinute) % 60,
    second: Math.floor(local.ticks / ticksPerSecond) % 60,
    ticks: local.ticks % ticksPerSecond,
    scale,
    offset: from.name === 'datetimeoffset' ? (inUtc ? 0 : (value.offset ?? 0)) : undefined,
    utc: local,
  };
}
