import type { Stored } from '../../../base/stored.ts';

/** A whole number as a handler works with it; what exceeds 2^53 occurs in none of the columns that are read so. */
export const number: Stored<number> = { fromStore: Number };
export const text: Stored<string> = { fromStore: String };

/** The type of a link (2.2.1.21). */
export const itemType = { startAddress: 1, link: 2, linkShallow: 4, anchorLink: 6, lastLink: 7 } as const;

/** What a transaction does (2.2.1.14). */
export const transactionType = { add: 0, delete: 1, modify: 2, rename: 3 } as const;

/** What it is about (2.2.1.15). */
export const scope = { item: 1, deep: 2 } as const;

/** Why an item is deleted (2.2.1.22). */
export const deleteReason = {
  error: 1,
  deleteCrawl: 2,
  unvisitedFull: 3,
  unvisitedIncremental: 4,
  unvisitedLog: 5,
  recursive: 6,
  excluded: 7,
  changeLog: 8,
} as const;

/** Bits of TransactionFlags (2.2.2.3), and the two that other sections use. */
export const flag = {
  folder: 0x4,
  processLinks: 0x8,
  foundByTimestamp: 0x200,
  startHost: 0x400,
  cachedSecurity: 0x200000,
  securityOnly: 0x2000000,
} as const;

/** HRESULTs that the rules name (2.2.1.11), as the int that they travel as. */
export const hresult = {
  notModified: 0x41203,
  excludedByRule: 0x80040d07 | 0,
  noIndex: 0x40d90,
  changeLogTooOld: 0x810200bc | 0,
  accessDenied: 0x80041205 | 0,
  notFound: 0x80041201 | 0,
} as const;

/** The crawl error of an item that was not modified: every administration database has it under this identifier. */
export const notModifiedError = { id: 1, level: 0 } as const;

/** States of a component in a crawl store in which it may work (2.2.1.12). */
export const workingStates: readonly number[] = [1, 4];
export const disabledState = 3;
