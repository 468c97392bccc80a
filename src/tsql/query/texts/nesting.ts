import { keyOf } from '../../../values/key.ts';
import type { PlanColumn } from '../plan.ts';

/** The tables of a query as AUTO nests them, each with the positions of its columns. */
interface Level {
  readonly label: string;
  readonly columns: readonly number[];
}

/**
 * Each table is a level, in the order in which the select list names them; an expression belongs to the preceding one.
 */
export function levelsOf(columns: readonly PlanColumn[]): readonly Level[] {
  const labels = [...new Set(columns.flatMap(({ label }) => label ?? []))];
  const places = labels.map((): number[] => []);
  let last = 0;
  columns.forEach(({ label }, at) => {
    if (label !== undefined) last = labels.indexOf(label);
    places[last]?.push(at);
  });
  return labels.map((label, at) => ({ label, columns: places[at] ?? [] }));
}

/**
 * Determines, row by row, at which level something new begins: the levels above are unchanged from the previous row.
 */
export function firstNewLevel(levels: readonly Level[], columns: readonly PlanColumn[]) {
  let before: readonly string[] = [];
  return (row: readonly unknown[]): number => {
    const keys = levels.map((level) => keyOf(level.columns.map((at) => [row[at], columns[at]?.type])));
    const changed = keys.findIndex((key, at) => key !== before[at]);
    before = keys;
    // The innermost table has an element for every row.
    return changed < 0 ? levels.length - 1 : changed;
  };
}
