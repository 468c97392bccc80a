import type { Turn } from '../../base/turn.ts';

/** How many rows are sorted in one go: few enough to take a part of a turn only. */
const runLength = 512;
/** How many rows are merged between two looks at the clock. */
const rowsBetweenLooks = 64;

/** Sorts rows, giving way now and then; those that compare alike stay in their order. */
export async function inOrder<T>(
  rows: readonly T[],
  compare: (a: T, b: T) => number,
  turn: Turn,
): Promise<readonly T[]> {
  if (rows.length <= runLength) return rows.toSorted(compare);
  let runs: T[][] = [];
  for (let at = 0; at < rows.length; at += runLength) {
    runs.push(rows.slice(at, at + runLength).sort(compare));
    if (turn.isOver) await turn.giveWay();
  }
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      longer.push(await merged(runs[at] ?? [], runs[at + 1] ?? [], compare, turn));
    runs = longer;
  }
  return runs[0] ?? [];
}

async function merged<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number, turn: Turn): Promise<T[]> {
  const all: T[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (all.length % rowsBetweenLooks === 0 && turn.isOver) await turn.giveWay();
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
