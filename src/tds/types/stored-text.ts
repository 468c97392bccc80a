import type { StoredValue } from '../../base/stored.ts';

/** The storage of all kinds of text. */
export const storedText = {
  precision: 0,
  scale: 0,
  fromStore: (value: Exclude<StoredValue, null>): string =>
    value instanceof Uint8Array ? Buffer.from(value).toString() : String(value),
  toStore: (value: string): string => value,
};
