import type { StoredValue } from '../../base/stored.ts';

/** How text of every kind is kept. */
export const storedText = {
  precision: 0,
  scale: 0,
  fromStore: (value: Exclude<StoredValue, null>): string =>
    value instanceof Uint8Array ? Buffer.from(value).toString() : String(value),
  toStore: (value: string): string => value,
};
