/**
 * A day, a time of day, or both, to 100 nanoseconds: the value of time, datetime2 and datetimeoffset. With an offset,
 * day and ticks are in UTC and `offset` is the number of minutes by which the sender's clock was ahead.
 */
export interface Instant {
  /** Days since 0001-01-01; 0 for a time without a date. */
  readonly day: number;
  /** The time of day in units of 100 nanoseconds. */
  readonly ticks: number;
  /** Minutes, from -840 to 840. */
  readonly offset?: number;
}

const dayMs = 86_400_000;
const ticksPerMs = 10_000;
const epoch = Date.parse('0001-01-01T00:00:00.000Z');

/** The 100-nanosecond units of a day. */
export const ticksPerDay = dayMs * ticksPerMs;
/** 9999-12-31, the last day of SQL Server. */
export const lastDay = 3_652_058;

/** True for a value that is an instant within SQL Server's range. */
export function isInstant(value: unknown): value is Instant {
  if (typeof value !== 'object' || value === null || !('day' in value) || !('ticks' in value)) return false;
  const { day, ticks } = value;
  if (typeof day !== 'number' || typeof ticks !== 'number') return false;
  if (!Number.isInteger(day) || !Number.isInteger(ticks)) return false;
  const offset = 'offset' in value ? value.offset : undefined;
  if (offset !== undefined && !(typeof offset === 'number' && isLocal(day, ticks, offset))) return false;
  return day >= 0 && day <= lastDay && ticks >= 0 && ticks < ticksPerDay;
}

/** True for an offset of at most 14 hours with which the sender's local day is also within SQL Server's range. */
function isLocal(day: number, ticks: number, offset: number): boolean {
  if (!Number.isInteger(offset) || Math.abs(offset) > 840) return false;
  const local = day + Math.floor((ticks + offset * 60 * 1e7) / ticksPerDay);
  return local >= 0 && local <= lastDay;
}

/** The days since 0001-01-01 of a moment. */
export const dayOf = (date: Date): number => Math.floor((date.getTime() - epoch) / dayMs);

/** The moment at which a day begins. */
export const startOfDay = (day: number): Date => new Date(epoch + day * dayMs);

/** A moment as an instant without offset. */
export function instantOf(date: Date): Instant {
  const day = dayOf(date);
  return { day, ticks: (date.getTime() - epoch - day * dayMs) * ticksPerMs };
}

/** An instant as a moment; anything finer than a millisecond is truncated. */
export const dateOf = ({ day, ticks }: Instant): Date => new Date(epoch + day * dayMs + Math.floor(ticks / ticksPerMs));

/** Ticks rounded to a coarser scale; may reach the next day. */
export function roundTicks(ticks: number, scale: number): number {
  const unit = 10 ** (7 - scale);
  return Math.floor((ticks + unit / 2) / unit) * unit;
}

/** A time of day rounded to a coarser scale; if it would round up to midnight, it stays the last moment of its day. */
export const roundTicksOfDay = (ticks: number, scale: number): number =>
  Math.min(roundTicks(ticks, scale), ticksPerDay - 10 ** (7 - scale));

const two = (value: number): string => String(value).padStart(2, '0');

/** `yyyy-MM-dd`. */
export const formatDay = (day: number): string => startOfDay(day).toISOString().slice(0, 10);

/** `HH:mm:ss`, with as many decimals as the scale. */
export function formatTicks(ticks: number, scale: number): string {
  const seconds = Math.floor(ticks / 1e7);
  const clock = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return scale === 0
    ? clock
    : `${clock}.${String(ticks % 1e7)
        .padStart(7, '0')
        .slice(0, scale)}`;
}

/** `yyyy-MM-dd HH:mm:ss` with decimals; with an offset, in the sender's local time followed by `+HH:mm`. */
export function formatInstant({ day, ticks, offset }: Instant, scale: number): string {
  if (offset === undefined) return `${formatDay(day)} ${formatTicks(ticks, scale)}`;
  const local = ticks + offset * 60 * 1e7;
  const shift = Math.floor(local / ticksPerDay);
  const ahead = Math.abs(offset);
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(ahead / 60))}:${two(ahead % 60)}`;
  return `${formatDay(day + shift)} ${formatTicks(local - shift * ticksPerDay, scale)} ${zone}`;
}

const written = /^(?:(\d{4}-\d\d-\d\d) ?)?(?:(\d\d):(\d\d):(\d\d)(?:\.(\d{1,7}))?)?(?: ([+-])(\d\d):(\d\d))?$/;

/** Parses the output of the functions above; undefined for anything else. */
export function parseInstant(text: string): Instant | undefined {
  const match = written.exec(text);
  if (match === null || text === '') return undefined;
  const [, date, hours = '0', minutes = '0', seconds = '0', fraction = '', sign, zoneHours = '0', zoneMinutes = '0'] =
    match;
  const day = date === undefined ? 0 : dayOf(new Date(`${date}T00:00:00.000Z`));
  const clock = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  const ticks = clock * 1e7 + Number(fraction.padEnd(7, '0'));
  if (sign === undefined) return { day, ticks };
  const offset = (sign === '-' ? -1 : 1) * (Number(zoneHours) * 60 + Number(zoneMinutes));
  const utc = ticks - offset * 60 * 1e7;
  const shift = Math.floor(utc / ticksPerDay);
  return { day: day + shift, ticks: utc - shift * ticksPerDay, offset };
}
