import { sqlError } from '../../base/messages/sql-error.ts';
import type { Merge, MergeAction, MergeClause } from '../ast/merge.ts';
import type { Cte } from '../ast/query.ts';
import { assignment, insertColumns, outputClause, target } from './change.ts';
import { fromItem } from './from.ts';
import { given } from './given.ts';
import { optionClause, topClause } from './query.ts';
import type { TokenStream } from './token-stream.ts';

/**
 * MERGE [TOP (n)] [INTO] target USING source ON condition WHEN … THEN … [OUTPUT …] [OPTION (…)]; and 10713 without the
 * semicolon.
 */
export function merge(cursor: TokenStream, line: number, ctes: readonly Cte[]): Merge {
  cursor.expect('MERGE');
  const top = topClause(cursor);
  cursor.accept('INTO');
  const into = target(cursor);
  const alias = cursor.accept('AS') || !cursor.is('USING') ? cursor.name() : undefined;
  cursor.expect('USING');
  const source = fromItem(cursor);
  cursor.expect('ON');
  const on = cursor.condition();
  const clauses = [mergeClause(cursor)];
  while (cursor.is('WHEN')) clauses.push(mergeClause(cursor));
  const output = outputClause(cursor);
  optionClause(cursor);
  if (!cursor.is(';')) throw sqlError(10_713).at({ line: cursor.line });
  return { kind: 'merge', line, with: ctes, target: into, source, on, clauses, ...given({ top, alias, output }) };
}

/** WHEN [NOT] MATCHED [BY TARGET | BY SOURCE] [AND condition] THEN action. */
function mergeClause(cursor: TokenStream): MergeClause {
  cursor.expect('WHEN');
  const when = mergeCase(cursor);
  const and = cursor.accept('AND') ? cursor.condition() : undefined;
  cursor.expect('THEN');
  return { when, action: when === 'unmatched' ? insertAction(cursor) : changeAction(cursor), ...given({ and }) };
}

function mergeCase(cursor: TokenStream): MergeClause['when'] {
  if (cursor.accept('MATCHED')) return 'matched';
  cursor.expect('NOT', 'MATCHED');
  if (cursor.accept('BY', 'SOURCE')) return 'unmatched by source';
  if (cursor.accept('BY')) cursor.expect('TARGET');
  return 'unmatched';
}

function changeAction(cursor: TokenStream): MergeAction {
  if (cursor.accept('DELETE')) return { kind: 'delete' };
  cursor.expect('UPDATE', 'SET');
  return { kind: 'update', assignments: cursor.list(() => assignment(cursor)) };
}

function insertAction(cursor: TokenStream): MergeAction {
  cursor.expect('INSERT');
  if (cursor.accept('DEFAULT', 'VALUES')) return { kind: 'insert', columns: [], values: 'default values' };
  const columns = cursor.is('(') ? insertColumns(cursor) : [];
  cursor.expect('VALUES');
  const value = () => (cursor.accept('DEFAULT') ? 'default' : cursor.expression());
  return { kind: 'insert', columns, values: cursor.inParentheses(() => cursor.list(value)) };
}
