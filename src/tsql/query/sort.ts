import { inTurns, type Steps } from '../../base/steps.ts';
import type { Turn } from '../../base/turn.ts';

/** How many rows are sorted in one go: few enough to take a part of a turn only. */
const runLength = 512;
/** How many rows are merged between two looks at the clock. */
const rowsBetweenLooks = 64;

/** Sorts rows, giving way now and then; those that compare alike stay in their order. */
export const inOrder = <T>(
  rows: readonly T[],
  compare: (a: T, b: T) => number,
  turn: Turn,
  isLong = false,
): Promise<readonly T[]> => inTurns(sortSteps(rows, compare, isLong), turn);

/** The same in steps. Where comparing two takes long, because what they are sorted by may be, each comparison is a step. */
export function* sortSteps<T>(
  rows: readonly T[],
  compare: (a: T, b: T) => number,
  isLong = false,
): Steps<readonly T[]> {
  const length = isLong ? 1 : runLength;
  if (rows.length <= length) return rows.toSorted(compare);
  let runs: T[][] = [];
  for (let at = 0; at < rows.length; at += length) {
    runs.push(rows.slice(at, at + length).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      longer.push(yield* merged(runs[at] ?? [], runs[at + 1] ?? [], compare, isLong ? 1 : rowsBetweenLooks));
    runs = longer;
  }
  return runs[0] ?? [];
}

function* merged<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number, together: number): Steps<T[]> {
  const all: T[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (all.length % together === 0) yield;
    // Inside the bounds, so that each is an element; of two alike the one that stood first comes first.
    const x = a[i] as T;
    const y = b[j] as T;
    const takesFirst = j >= b.length || (i < a.length && compare(x, y) <= 0);
    all.push(takesFirst ? x : y);
    if (takesFirst) i++;
    else j++;
  }
  return all;
}
