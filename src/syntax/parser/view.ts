import { sqlError } from '../../base/messages/sql-error.ts';
import { firstSelect } from '../ast/first-select.ts';
import type { Query } from '../ast/query.ts';
import type { CreateView } from '../ast/statement.ts';
import { columnNames } from './lists.ts';
import type { TokenStream } from './token-stream.ts';

/** How the statement began. */
interface Beginning extends Pick<CreateView, 'alter' | 'orAlter'> {
  /** True if nothing is before it. */
  readonly isFirst: boolean;
}

/** CREATE or ALTER VIEW, from VIEW on: a batch of its own. */
export function view(cursor: TokenStream, line: number, { isFirst, ...how }: Beginning): CreateView {
  if (!isFirst) throw sqlError(111, how.alter ? 'ALTER VIEW' : 'CREATE VIEW').at({ line });
  const text = cursor.textFrom(cursor.next());
  const name = cursor.objectName();
  const columns = cursor.is('(') ? columnNames(cursor) : [];
  const attributes = cursor.accept('WITH') ? cursor.list(() => attribute(cursor)) : [];
  cursor.expect('AS');
  const query = cursor.withVariables(() => cursor.query());
  refuseClauses(query, cursor);
  const isChecked = cursor.accept('WITH', 'CHECK', 'OPTION');
  while (cursor.accept(';'));
  if (!cursor.atEnd) throw cursor.unexpected();
  return {
    ...{ kind: 'createView', line, name, ...how, text, columns, query },
    isChecked,
    isSchemaBound: attributes.includes('SCHEMABINDING'),
    isEncrypted: attributes.includes('ENCRYPTION'),
  };
}

const attributes: ReadonlySet<string> = new Set(['ENCRYPTION', 'SCHEMABINDING', 'VIEW_METADATA']);

function attribute(cursor: TokenStream): string {
  if (!cursor.isOneOf(attributes)) throw cursor.unexpected();
  return cursor.next().upper;
}

/** What only the query of a whole statement may have; the rows of a view have no order but that which limits them. */
function refuseClauses(query: Query, { line }: TokenStream): void {
  const { body, orderBy, offset, as, purpose, isBrowsed, maxRecursion } = query;
  if (firstSelect(body)?.into !== undefined) throw sqlError(156, 'INTO').at({ line });
  if (purpose !== undefined || isBrowsed) throw sqlError(156, 'FOR').at({ line });
  if (maxRecursion !== undefined) throw sqlError(156, 'OPTION').at({ line });
  const isLimited = offset !== undefined || as !== undefined || (body.kind === 'select' && body.top !== undefined);
  if (orderBy.length > 0 && !isLimited) throw sqlError(1033).at({ line });
}
