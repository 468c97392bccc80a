import type { Stored } from '../base/stored.ts';

/** The simple column types of the engine's own tables. */
export const textColumn: Stored<string> = { fromStore: (stored) => String(stored) };

export const numberColumn: Stored<number> = { fromStore: (stored) => Number(stored) };

export const momentColumn: Stored<Date> = { fromStore: (stored) => new Date(Number(stored)) };
