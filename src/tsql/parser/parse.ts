import type { Statement } from '../ast/statement.ts';
import { tokenize } from '../lexer/tokenize.ts';
import type { PreparedParam } from '../session-state.ts';
import { Cursor, type Grammar } from './cursor.ts';
import { dataType } from './data-type.ts';
import { executeWithoutKeyword } from './execute.ts';
import { condition, expression, node } from './expression.ts';
import { query } from './query.ts';
import { statement } from './statement.ts';

const grammar: Grammar = { expression, condition, node, query, statement };

/** A batch as the interpreter runs it. */
export interface Batch {
  readonly statements: readonly Statement[];
}

/** How a batch is to be read. */
export interface ParseOptions {
  /** Variables that are there from the start: the parameters of sp_executesql. */
  readonly variables?: Iterable<string>;
  /** SET QUOTED_IDENTIFIER; on unless told. */
  readonly quotedIdentifier?: boolean;
  /** True for the text of a cursor of the API, which may say FOR UPDATE. */
  readonly isForCursor?: boolean;
}

/** Reads a batch of T-SQL; throws the SqlError of the first thing that is wrong with it. */
export function parse(text: string, options: ParseOptions = {}): Batch {
  const { variables = [], quotedIdentifier = true, isForCursor = false } = options;
  const cursor = new Cursor(text, tokenize(text, quotedIdentifier), grammar, variables, isForCursor);
  const statements: Statement[] = [];
  while (cursor.accept(';'));
  const first = executeWithoutKeyword(cursor);
  if (first !== undefined) statements.push(first);
  for (;;) {
    while (cursor.accept(';'));
    if (cursor.atEnd) return { statements };
    statements.push(statement(cursor));
  }
}

/** Reads the declaration list of sp_executesql: `@a int, @b nvarchar(20) = N'' OUTPUT`. */
export function parseParameters(text: string): PreparedParam[] {
  const cursor = new Cursor(text, tokenize(text), grammar, []);
  const params: PreparedParam[] = [];
  if (cursor.atEnd) return params;
  do {
    const token = cursor.next();
    if (token.kind !== 'variable') throw cursor.unexpected();
    cursor.declare(token.text, 'scalar', token.line);
    cursor.accept('AS');
    const type = dataType(cursor);
    params.push({ name: token.text, type, output: cursor.accept('OUTPUT') || cursor.accept('OUT') });
  } while (cursor.accept(','));
  if (!cursor.atEnd) throw cursor.unexpected();
  return params;
}
