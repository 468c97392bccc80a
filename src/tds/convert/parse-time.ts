import { ticksPerMinute, ticksPerSecond } from './moment.ts';

/** A time of day found in a literal. */
export interface ParsedTime {
  readonly ticks: number;
  readonly offset?: number;
  /** How many digits the fraction of a second has; datetime refuses more than three. */
  readonly digits: number;
}

const clock =
  /(?:^|[\sT])(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(?:([.:])(\d{1,9}))?)?)?\s*([AP]M)?\s*(Z|[+-]\d{1,2}:\d{2})?\s*$/i;

/** Takes the time off the end of a literal; undefined when it ends in none, null when the time is impossible. */
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

/** After a point come decimals of a second, after a colon whole milliseconds. */
function fractionTicks(point: string | undefined, fraction: string): number | undefined {
  if (point === undefined) return 0;
  if (point === ':') return fraction.length > 3 ? undefined : Number(fraction) * 10_000;
  // Nine digits are read, as ODBC has them; ticks have seven.
  return Math.round(Number(fraction.padEnd(9, '0')) / 100);
}

function offsetOf(zone: string): number | null {
  if (zone.toUpperCase() === 'Z') return 0;
  const [hours = '0', minutes = '0'] = zone.slice(1).split(':');
  const total = Number(hours) * 60 + Number(minutes);
  if (total > 14 * 60 || Number(minutes) > 59) return null;
  return zone.startsWith('-') ? -total : total;
}
