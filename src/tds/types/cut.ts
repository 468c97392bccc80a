import { ownBytes, ownPart } from '../../base/text/own-part.ts';
import type { AnyType } from './sql-type.ts';

const wide: ReadonlySet<string> = new Set(['nchar', 'nvarchar']);
const narrow: ReadonlySet<string> = new Set(['char', 'varchar', 'binary', 'varbinary']);

/**
 * The first characters of a text, one less if the last would be half of a surrogate pair: the engines do not store
 * halves.
 */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const isPair = (text.codePointAt(most - 1) ?? 0) > 0xffff;
  return ownPart(text, 0, isPair ? most - 1 : most);
}

/** Text or bytes truncated to the length of their type; any other value is unchanged. */
export function cutTo({ name, maxLength }: AnyType, value: unknown): unknown {
  const room = maxLength < 0 ? Number.POSITIVE_INFINITY : wide.has(name) ? maxLength / 2 : maxLength;
  if (!wide.has(name) && !narrow.has(name)) return value;
  if (typeof value === 'string') return cutText(value, room);
  if (value instanceof Uint8Array && value.length > room) return ownBytes(value.subarray(0, room));
  return value;
}
