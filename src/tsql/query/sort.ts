import { isTurnOver, type Pause, pause } from './pause.ts';

/** How many rows are sorted in one go: few enough to take a part of a turn only. */
const runLength = 512;

/** Sorts rows, with pauses; those that compare alike stay in their order. */
export function* inOrder<T>(rows: readonly T[], compare: (a: T, b: T) => number): Generator<Pause, readonly T[]> {
  if (rows.length <= runLength) return rows.toSorted(compare);
  let runs: T[][] = [];
  for (let at = 0; at < rows.length; at += runLength) {
    runs.push(rows.slice(at, at + runLength).sort(compare));
    if (isTurnOver()) yield pause;
  }
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) longer.push(yield* merged(runs[at] ?? [], runs[at + 1] ?? [], compare));
    runs = longer;
  }
  return runs[0] ?? [];
}

function* merged<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): Generator<Pause, T[]> {
  const all: T[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (isTurnOver()) yield pause;
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
