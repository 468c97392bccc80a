import { fold } from '../../base/collation.ts';
import { sqlError } from '../../base/sql-error.ts';
import { inTurns, type Steps } from '../../base/steps.ts';
import type { Turn } from '../../base/turn.ts';
import type { OrderItem } from '../../syntax/ast/query.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { compareNullable } from '../../values/compare.ts';
import { mayBeLong } from '../evaluate/long-work.ts';
import type { PlanColumn } from './plan.ts';

/** How values are sorted. */
export interface SortKey {
  readonly type: AnyType;
  readonly descending: boolean;
}

/** True where comparing two rows may take long. */
export const hasLongKey = (keys: readonly SortKey[]): boolean => keys.some(({ type }) => mayBeLong(type));

/** Compares two rows of sort keys. */
export function compareKeys(a: readonly unknown[], b: readonly unknown[], keys: readonly SortKey[]): number {
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at];
    if (key === undefined) break;
    const order = compareNullable(a[at] ?? null, b[at] ?? null, key.type);
    if (order !== 0) return key.descending ? -order : order;
  }
  return 0;
}

/** The column of the select list that an ORDER BY item means by its position or its name; undefined for an expression. */
export function outputColumn({ expression }: OrderItem, columns: readonly PlanColumn[]): number | undefined {
  if (expression.kind === 'literal' && expression.type.name === 'int' && !expression.bare) {
    const position = Number(expression.value);
    if (position < 1 || position > columns.length) throw sqlError(108, position);
    return position - 1;
  }
  if (expression.kind !== 'column' || expression.parts.length !== 1) return undefined;
  const name = fold(expression.parts[0] ?? '');
  const at = columns.findIndex((column) => fold(column.name) === name);
  return at < 0 ? undefined : at;
}

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
