import { inTurns, type Steps } from '../../base/threads/steps.ts';
import type { Turn } from '../../base/threads/turn.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { compareNullable, nullableSteps } from '../../values/compare.ts';
import { mayBeLong } from '../evaluate/long-work.ts';

/** How values are sorted. */
export interface SortKey {
  readonly type: AnyType;
  readonly descending: boolean;
}

/** An order of rows. */
interface RowOrder<T> {
  compare(a: T, b: T): number;
  /** The same in steps; only where comparing two rows may take long. */
  readonly steps?: (a: T, b: T) => Steps<number>;
}

/** The order of rows by their keys. */
export const byKeys = <T extends { readonly keys: readonly unknown[] }>(keys: readonly SortKey[]): RowOrder<T> => ({
  compare: (a, b) => compareKeys(a.keys, b.keys, keys),
  ...(keys.some(({ type }) => mayBeLong(type)) ? { steps: (a, b) => compareKeySteps(a.keys, b.keys, keys) } : {}),
});

/** Compares two rows; returns a promise if others get their turn meanwhile. */
export const comparedInTurns = <T>(
  a: T,
  b: T,
  { compare, steps }: RowOrder<T>,
  turn: Turn,
): number | Promise<number> => (steps === undefined ? compare(a, b) : inTurns(steps(a, b), turn));

/** Compares two rows of sort keys. */
function compareKeys(a: readonly unknown[], b: readonly unknown[], keys: readonly SortKey[]): number {
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at];
    if (key === undefined) break;
    const order = compareNullable(a[at] ?? null, b[at] ?? null, key.type);
    if (order !== 0) return key.descending ? -order : order;
  }
  return 0;
}

/** The same in steps, for keys that may be long. */
function* compareKeySteps(a: readonly unknown[], b: readonly unknown[], keys: readonly SortKey[]): Steps<number> {
  for (const [at, { type, descending }] of keys.entries()) {
    const order = yield* nullableSteps(a[at] ?? null, b[at] ?? null, type);
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}

/** The number of rows that are sorted at once: few enough to take only part of a turn. */
const runLength = 512;
/** The number of rows merged between two checks of the clock. */
const rowsBetweenLooks = 64;

/** Sorts rows, yielding from time to time; equal rows keep their order. */
export const inOrder = <T>(rows: readonly T[], order: RowOrder<T>, turn: Turn): Promise<readonly T[]> =>
  inTurns(sortSteps(rows, order), turn);

/** The same in steps. If comparing two rows may take long, each comparison is in steps too. */
export function* sortSteps<T>(rows: readonly T[], order: RowOrder<T>): Steps<readonly T[]> {
  const { compare, steps } = order;
  const length = steps === undefined ? runLength : 1;
  if (rows.length <= length) return rows.toSorted(compare);
  let runs: T[][] = [];
  for (let at = 0; at < rows.length; at += length) {
    runs.push(rows.slice(at, at + length).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) longer.push(yield* merged(runs[at] ?? [], runs[at + 1] ?? [], order));
    runs = longer;
  }
  return runs[0] ?? [];
}

function* merged<T>(a: readonly T[], b: readonly T[], { compare, steps }: RowOrder<T>): Steps<T[]> {
  const together = steps === undefined ? rowsBetweenLooks : 1;
  const all: T[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (all.length % together === 0) yield;
    // Inside the bounds, so each is an element; of two equal rows, the earlier one comes first.
    const x = a[i] as T;
    const y = b[j] as T;
    const isCompared = i < a.length && j < b.length;
    const order = isCompared ? (steps === undefined ? compare(x, y) : yield* steps(x, y)) : 0;
    const takesFirst = isCompared ? order <= 0 : i < a.length;
    all.push(takesFirst ? x : y);
    if (takesFirst) i++;
    else j++;
  }
  return all;
}
