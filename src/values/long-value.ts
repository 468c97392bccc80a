import { sqlError } from '../base/messages/sql-error.ts';
import { mostCharacters } from '../base/text/most-characters.ts';

/** From this many characters or bytes on, the clock is checked after work on a value. */
const long = 16_384;

/** True for a text or bytes that take time. */
export const isLong = (value: unknown): boolean =>
  (typeof value === 'string' || value instanceof Uint8Array) && value.length > long;

/** Refuses a value that would be too long for memory: 701, before it is made. */
export function refuseHuge(length: number): void {
  if (length > mostCharacters) throw sqlError(701, 'default');
}
