import type { Env } from '../evaluate/compiled.ts';
import { type Batches, inBatches } from './batches.ts';
import type { Limits, Wanted } from './limits.ts';
import { compareKeys, hasLongKey, type SortKey } from './order.ts';
import { hold, type Run, sizeOf } from './run.ts';
import { inOrder } from './sort.ts';

/** A row with the values it is sorted by. */
interface Keyed {
  readonly keys: readonly unknown[];
}

/** A row of FROM, or a group, with the values it is sorted by. */
export interface KeyedEnv extends Keyed {
  readonly env: Env;
}

/** How many rows more than are wanted are held before the last ones are given up. */
const spare = 4096;

/** ORDER BY with what limits its rows. Where only so many are wanted, hardly more than those are held. */
export async function* sortedAndLimited<T extends Keyed>(
  rows: Batches<T>,
  keys: readonly SortKey[],
  wanted: Wanted & Pick<Limits, 'ties'>,
  size: (row: T) => number,
  run: Run,
): AsyncGenerator<readonly T[]> {
  const { count, percent, skip, ties } = wanted;
  const { turn } = run;
  using held = hold(run);
  const isLong = hasLongKey(keys);
  const compare = (a: T, b: T): number => compareKeys(a.keys, b.keys, keys);
  const most = count === undefined || ties ? Number.POSITIVE_INFINITY : skip + count;
  const heldSize = (row: T): number => size(row) + sizeOf(row.keys);
  let found: T[] = [];
  /** The last row that is wanted of those seen before: what comes behind it is not. */
  let last: T | undefined;
  for await (const all of rows) {
    for (const row of all) {
      if (isLong && turn.isOver) await turn.giveWay();
      if (last !== undefined && compare(row, last) >= 0) continue;
      held.grow(heldSize(row));
      found.push(row);
    }
    if (found.length > 2 * most + spare) {
      found = (await inOrder(found, compare, turn, isLong)).slice(0, most);
      last = found.at(-1);
      held.shrink(held.used);
      held.grow(found.reduce((sum, row) => sum + heldSize(row), 0));
    }
  }
  const sorted = await inOrder(found, compare, turn, isLong);
  const amount = percent === undefined ? count : Math.ceil((sorted.length * percent) / 100);
  let end = amount === undefined ? sorted.length : Math.min(sorted.length, skip + amount);
  const isTie = (): boolean => {
    const [last, next] = [sorted[end - 1], sorted[end]];
    return last !== undefined && next !== undefined && compare(last, next) === 0;
  };
  while (ties && isTie()) end++;
  yield* inBatches(sorted.slice(skip, end));
}
