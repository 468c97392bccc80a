import type { AnyType } from './sql-type.ts';

const wide: ReadonlySet<string> = new Set(['nchar', 'nvarchar']);
const narrow: ReadonlySet<string> = new Set(['char', 'varchar', 'binary', 'varbinary']);

/** Text or bytes without what is beyond the length of their type; any other value as it is. */
export function cutTo({ name, maxLength }: AnyType, value: unknown): unknown {
  const room = maxLength < 0 ? Number.POSITIVE_INFINITY : wide.has(name) ? maxLength / 2 : maxLength;
  if (!wide.has(name) && !narrow.has(name)) return value;
  if (typeof value === 'string' && value.length > room) return value.slice(0, room);
  if (value instanceof Uint8Array && value.length > room) return value.subarray(0, room);
  return value;
}
