import { fold } from '../../base/collation.ts';
import { sqlError } from '../../base/sql-error.ts';
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
