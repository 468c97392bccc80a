import { ruleBroken, sqlError } from '../base/messages/sql-error.ts';
import type { Bindable, StoredValue } from '../base/stored.ts';

/** The kinds of values that a statement binds. */
export type BoundKind = 'null' | 'integer' | 'double' | 'text' | 'bytes';

/** The kind of a value, decided by its TypeScript type alone, so that both engines bind it alike. */
export function kindOf(value: Bindable): BoundKind {
  switch (typeof value) {
    case 'string':
      return 'text';
    case 'number':
      // Whole numbers are bound as integers: otherwise 5 / 2 would be 2.5 in SQLite but 2 in PostgreSQL.
      return Number.isSafeInteger(value) ? 'integer' : 'double';
    case 'bigint':
    case 'boolean':
      return 'integer';
    default:
      if (value === null) return 'null';
      return value instanceof Date ? 'integer' : 'bytes';
  }
}

/** The value as it is passed to the driver. Refuses on both engines what only one of them could store. */
export function toStored(value: Bindable): StoredValue {
  switch (typeof value) {
    case 'string':
      return checkedText(value);
    case 'number':
      if (Number.isSafeInteger(value)) return BigInt(value);
      if (Number.isFinite(value)) return value;
      throw ruleBroken(`The number ${value} cannot be stored: only finite numbers can.`);
    case 'bigint':
      if (BigInt.asIntN(64, value) !== value) throw sqlError(8115, 'expression', 'bigint');
      return value;
    case 'boolean':
      return value ? 1n : 0n;
    default:
      if (value instanceof Date) return BigInt(millisecondsOf(value));
      return value;
  }
}

/**
 * The same for a driver that takes text: whole numbers are not converted, since a bigint takes longer to create and to
 * write.
 */
export const wholeOrStored = (value: Bindable): StoredValue =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : toStored(value);

function millisecondsOf(moment: Date): number {
  const milliseconds = moment.getTime();
  if (Number.isNaN(milliseconds)) throw ruleBroken('An invalid date cannot be stored.');
  return milliseconds;
}

/** PostgreSQL cannot store U+0000 and UTF-8 has no unpaired surrogates, so both engines refuse them. */
export function checkedText(text: string): string {
  if (text.includes('\0')) throw ruleBroken('Text with the character U+0000 cannot be stored.');
  if (!text.isWellFormed()) throw ruleBroken('Text with an unpaired surrogate cannot be stored.');
  return text;
}
