import { sqlError } from '../../base/sql-error.ts';

/** Stands among rows where a query gives way: whoever runs it lets other sessions have their turn, hears of a cancel, goes on. */
export const pause = Symbol('pause');
export type Pause = typeof pause;

/** Milliseconds that a query may keep other sessions waiting. */
const turnLength = 10;
/** How many rows pass between two looks at the clock. */
const rowsBetweenLooks = 128;
/** Milliseconds that a part of a query may take that cannot give way, such as a subquery in an expression. */
const longestStretch = 5_000;

/** Tells, row by row, when it is time for a pause. */
export function pacer(): () => boolean {
  let rows = 0;
  let began = performance.now();
  return () => {
    if (++rows % rowsBetweenLooks !== 0) return false;
    const now = performance.now();
    if (now - began < turnLength) return false;
    began = now;
    return true;
  };
}

/** The rows alone, for who cannot give way in the midst of them; 8649 when that keeps others waiting for too long. */
export function* withoutPauses<T>(rows: Iterable<T | Pause>): Generator<T> {
  let began: number | undefined;
  for (const row of rows) {
    if (row !== pause) {
      yield row as T; // a symbol of our own is no row
      continue;
    }
    began ??= performance.now();
    if (performance.now() - began > longestStretch)
      throw sqlError(8649, Math.round((performance.now() - began) / 1000), longestStretch / 1000);
  }
}
