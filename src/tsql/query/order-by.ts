import { sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import type { Expression } from '../../syntax/ast/expression.ts';
import type { OrderItem } from '../../syntax/ast/query.ts';
import type { Compiled } from '../evaluate/compiled.ts';
import type { Prepared } from '../evaluate/prepared.ts';
import type { PlanColumn } from './plan.ts';
import type { SelectList } from './select-list.ts';

/** A value that rows are sorted by. */
interface OrderKey {
  readonly expression: Expression;
  readonly value: Prepared<Compiled>;
  readonly descending: boolean;
  /** The column of the select list that it is, if it is one. */
  readonly column: number | undefined;
}

/** Compiles ORDER BY. */
export const compileOrderBy = (
  orderBy: readonly OrderItem[],
  { columns, expressions, values }: SelectList,
  compile: (expression: Expression) => Prepared<Compiled>,
): readonly OrderKey[] =>
  orderBy.map((item) => {
    const column = outputColumn(item, columns);
    const [expression = item.expression, value] = column === undefined ? [] : [expressions[column], values[column]];
    return { expression, value: value ?? compile(expression), descending: item.descending, column };
  });

/**
 * The column of the select list that an ORDER BY item means by its position or its name; undefined for an expression.
 */
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
