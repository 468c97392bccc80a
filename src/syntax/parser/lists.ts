import { sqlError } from '../../base/sql-error.ts';
import type { Expression } from '../ast/expression.ts';
import type { OrderItem, Query } from '../ast/query.ts';
import type { TokenStream } from './token-stream.ts';

/** A query in parentheses. */
export function parenthesised(cursor: TokenStream): Query {
  cursor.expect('(');
  const found = cursor.query();
  if (found.isBrowsed || found.purpose !== undefined) throw sqlError(156, 'FOR').at({ line: cursor.line });
  cursor.expect(')');
  return found;
}

/** `(a, b, c)` with at least one expression. */
export function argumentList(cursor: TokenStream): Expression[] {
  cursor.expect('(');
  const list = [cursor.deeper(() => cursor.expression())];
  while (cursor.accept(',')) list.push(cursor.deeper(() => cursor.expression()));
  cursor.expect(')');
  return list;
}

/** `(a, b, c)`. */
export function columnNames(cursor: TokenStream): string[] {
  cursor.expect('(');
  const names = [cursor.name()];
  while (cursor.accept(',')) names.push(cursor.name());
  cursor.expect(')');
  return names;
}

/** `a, b DESC`. */
export function orderItems(cursor: TokenStream): OrderItem[] {
  const items: OrderItem[] = [];
  do {
    const value = cursor.expression();
    const descending = cursor.accept('DESC');
    if (!descending) cursor.accept('ASC');
    items.push({ expression: value, descending });
  } while (cursor.accept(','));
  return items;
}
