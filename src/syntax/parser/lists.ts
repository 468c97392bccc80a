import { sqlError } from '../../base/messages/sql-error.ts';
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
  return cursor.inParentheses(() => cursor.list(() => cursor.deeper(() => cursor.expression())));
}

/** `(a, b, c)`. */
export function columnNames(cursor: TokenStream): string[] {
  return cursor.inParentheses(() => cursor.list(() => cursor.name()));
}

/** `a, b DESC`. */
export function orderItems(cursor: TokenStream): OrderItem[] {
  return cursor.list(() => ({ expression: cursor.expression(), descending: cursor.descending() }));
}
