import { sqlError } from '../../base/messages/sql-error.ts';
import type { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { badValue } from '../stream-error.ts';
import { byteLengthType } from './byte-length-type.ts';
import {
  formatInstant,
  formatTicks,
  type Instant,
  isInstant,
  lastDay,
  parseInstant,
  roundTicks,
  roundTicksOfDay,
  ticksPerDay,
} from './instant.ts';
import { mismatch } from './mismatch.ts';
import type { SqlType } from './sql-type.ts';
import { textBefore73 } from './text-before-73.ts';

/** The size of a time of day, by scale (MS-TDS 2.2.5.5.1.8). */
const timeSize = (scale: number): number => (scale <= 2 ? 3 : scale <= 4 ? 4 : 5);

function writeTicks(out: ByteWriter, ticks: number, scale: number): void {
  out.uint(Math.floor(ticks / 10 ** (7 - scale)), timeSize(scale));
}

function readTicks(bytes: ByteReader, scale: number, name: string): number {
  const ticks = bytes.uint(timeSize(scale)) * 10 ** (7 - scale);
  if (ticks >= ticksPerDay) throw badValue(bytes.subject, name);
  return ticks;
}

function readDay(bytes: ByteReader, name: string): number {
  const day = bytes.uint(3);
  if (day > lastDay) throw badValue(bytes.subject, name);
  return day;
}

interface Facts {
  readonly name: 'time' | 'datetime2' | 'datetimeoffset';
  readonly typeByte: number;
  readonly scale: number;
  readonly size: number;
  /** The length of the text without decimals. */
  readonly width: number;
}

interface Parts {
  /** Truncates or completes an instant to what the type holds. */
  settle(value: Instant): Instant;
  text(value: Instant): string;
  write(out: ByteWriter, value: Instant): void;
  read(bytes: ByteReader): Instant;
}

function fractional({ name, typeByte, scale, size, width }: Facts, parts: Parts): SqlType<Instant> {
  if (!(scale >= 0 && scale <= 7)) throw new TypeError(`${name}(${scale}): the scale must be 0 to 7`);
  const precision = scale === 0 ? width : width + 1 + scale;
  const type = byteLengthType<Instant>(
    {
      name,
      declaration: `${name}(${scale})`,
      maxLength: size,
      precision,
      scale,
      info: [typeByte, scale],
      variantByte: typeByte,
      variantProperties: [scale],
      check(value) {
        if (!isInstant(value)) throw mismatch(value, name);
        return parts.settle(value);
      },
      fromStore(stored) {
        const value = parseInstant(String(stored));
        if (value === undefined) throw mismatch(stored, name);
        return parts.settle(value);
      },
      toStore: parts.text,
    },
    { size, write: parts.write, read: parts.read },
  );
  return textBefore73(type, precision, parts.text);
}

/** Rounds to the scale and carries over into the next day; the last day of all has none to carry into. */
function rounded({ day, ticks }: Instant, scale: number): { day: number; ticks: number } {
  const near = day === lastDay ? roundTicksOfDay(ticks, scale) : roundTicks(ticks, scale);
  return near < ticksPerDay ? { day, ticks: near } : { day: day + 1, ticks: 0 };
}

/** A time of the day, with up to seven decimals of a second. */
export const time = (scale = 7): SqlType<Instant> =>
  fractional(
    { name: 'time', typeByte: 0x29, scale, size: timeSize(scale), width: 8 },
    {
      settle: ({ ticks }) => ({ day: 0, ticks: roundTicksOfDay(ticks, scale) }),
      text: ({ ticks }) => formatTicks(ticks, scale),
      write: (out, { ticks }) => writeTicks(out, ticks, scale),
      read: (bytes) => ({ day: 0, ticks: readTicks(bytes, scale, 'time') }),
    },
  );

/** A day and a time, with up to seven decimals of a second. */
export const datetime2 = (scale = 7): SqlType<Instant> =>
  fractional(
    { name: 'datetime2', typeByte: 0x2a, scale, size: timeSize(scale) + 3, width: 19 },
    {
      settle: (value) => rounded(value, scale),
      text: ({ day, ticks }) => formatInstant({ day, ticks }, scale),
      write(out, { day, ticks }) {
        writeTicks(out, ticks, scale);
        out.uint(day, 3);
      },
      read(bytes) {
        const ticks = readTicks(bytes, scale, 'datetime2');
        return { day: readDay(bytes, 'datetime2'), ticks };
      },
    },
  );

/** A day and a time in UTC, with the sender's offset in minutes. */
export const datetimeoffset = (scale = 7): SqlType<Instant> =>
  fractional(
    { name: 'datetimeoffset', typeByte: 0x2b, scale, size: timeSize(scale) + 5, width: 26 },
    {
      settle(value) {
        const near = { ...rounded(value, scale), offset: value.offset ?? 0 };
        if (!isInstant(near)) throw sqlError(242, 'datetimeoffset', 'datetimeoffset');
        return near;
      },
      text: (value) => formatInstant({ offset: 0, ...value }, scale),
      write(out, { day, ticks, offset = 0 }) {
        writeTicks(out, ticks, scale);
        out.uint(day, 3);
        out.i16(offset);
      },
      read(bytes) {
        const ticks = readTicks(bytes, scale, 'datetimeoffset');
        const day = readDay(bytes, 'datetimeoffset');
        const value = { day, ticks, offset: bytes.i16() };
        if (!isInstant(value)) throw badValue(bytes.subject, 'datetimeoffset');
        return value;
      },
    },
  );
