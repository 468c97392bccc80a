import { ticksPerMinute, ticksPerSecond } from './moment.ts';

/** A time of day found in a literal. */
export interface ParsedTime {
  readonly ticks: number;
  readonly offset?: number;
  /** The number of digits of the fraction of a second; datetime accepts at most three. */
  readonly digits: number;
}

const clock =
  /(?:^|[\sT])(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(?:([.:])(\d{1,9}))?)?)?\s*([AP]M)?\s*(Z|[+-]\d{1,2}:\d{2})?\s*$/i;

/** Removes the time from the end of a literal; undefined if there is none, null if it is invalid. */
export function takeTime(text: string): { rest: string; time: ParsedTime } | undefined | null {
  const found = clock.exec(text);
  if (found === null) return undefined;
  const [whole, hours = '', minutes, seconds = '0', point, fraction = '', half, zone] = found;
  if (minutes === undefined && half === undefined) return undefined;
  const rest = text.slice(0, text.length - whole.length);
  const hour = hourOf(Number(hours), half?.toUpperCase());
  const offset = zone === undefined ? undefined : offsetOf(zone);
  if (hour === undefined || Number(minutes ?? 0) > 59 || Number(seconds) > 59 || offset === null) return null;
  const parts = fractionTicks(point, fraction);
  if (parts === undefined) return null;
  const ticks =
    hour * 60 * ticksPerMinute + Number(minutes ?? 0) * ticksPerMinute + Number(seconds) * ticksPerSecond + parts;
  const digits = point === '.' ? fraction.length : 0;
  return { rest, time: offset === undefined ? { ticks, digits } : { ticks, digits, offset } };
}

function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour <= 23 ? hour : undefined;
  if (hour > 12) return half === 'PM' && hour <= 23 ? hour : undefined;
  if (half === 'AM') return hour === 12 ? 0 : hour;
  return hour === 12 ? 12 : hour + 12;
}

/** After a point comes a decimal fraction, after a colon a number of milliseconds. */
function fractionTicks(point: string | undefined, fraction: string): number | undefined {
  if (point === undefined) return 0;
  if (point === ':') return fraction.length > 3 ? undefined : Number(fraction) * 10_000;
  // Nine digits are read, as in ODBC; ticks have seven.
  return Math.round(Number(fraction.padEnd(9, '0')) / 100);
}

function offsetOf(zone: string): number | null {
  if (zone.toUpperCase() === 'Z') return 0;
  const [hours = '0', minutes = '0'] = zone.slice(1).split(':');
  const total = Number(hours) * 60 + Number(minutes);
  if (total > 14 * 60 || Number(minutes) > 59) return null;
  return zone.startsWith('-') ? -total : total;
}
