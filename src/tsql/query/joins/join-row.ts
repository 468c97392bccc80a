import type { Env } from '../../evaluate/compiled.ts';
import { sizeOf } from '../run.ts';
import type { Source } from './from.ts';

/** One row of each source; null where an outer join found none, or for a source of another branch. */
export type JoinRow = readonly (readonly unknown[] | null)[];

export const envOf = (rows: JoinRow, outer: Env): Env => ({ rows, groups: [], windows: [], outer });

/** A row of two parts of FROM, each of which has null for the sources of the other. */
export const merged = (a: JoinRow, b: JoinRow): JoinRow => a.map((row, at) => row ?? b[at] ?? null);

/**
 * Estimates the memory for holding rows of FROM. Rows of tables in memory exist anyway, and the row of a source that
 * was joined with many is counted once.
 */
export function joinRowSizer(sources: readonly Source[]): (row: JoinRow) => number {
  const own = sources.filter(({ table }) => table === undefined).map(({ index }) => index);
  const counted = sources.length > 1 ? new Set<unknown>() : undefined;
  const sizeOnce = (values: unknown): number => {
    if (counted?.has(values)) return 0;
    counted?.add(values);
    return sizeOf(values);
  };
  return (row) => own.reduce((sum, at) => sum + sizeOnce(row[at]), 64 + 8 * row.length);
}
