import { isTableType } from '../../tds/types/table-type.ts';
import type { Declaration, Declare, Statement } from '../ast/statement.ts';
import { variableType } from './data-type.ts';
import { tableBody } from './table.ts';
import type { TokenStream } from './token-stream.ts';
import { beginTransaction } from './transaction.ts';

/** BEGIN … END, BEGIN TRY or BEGIN TRANSACTION. */
export function begin(cursor: TokenStream, line: number): Statement {
  cursor.expect('BEGIN');
  if (cursor.is('TRAN') || cursor.is('TRANSACTION') || cursor.is('DISTRIBUTED')) return beginTransaction(cursor, line);
  if (cursor.accept('TRY')) return tryCatch(cursor, line);
  const body = statementsUntilEnd(cursor);
  if (body.length === 0) throw cursor.unexpected();
  cursor.expect('END');
  return { kind: 'block', line, body };
}

function statementsUntilEnd(cursor: TokenStream): Statement[] {
  return cursor.series<Statement[]>('block', [], (before) => {
    while (cursor.accept(';'));
    if (cursor.is('END')) return undefined;
    if (cursor.atEnd) throw cursor.unexpected();
    before.push(cursor.statement());
    return before;
  });
}

function tryCatch(cursor: TokenStream, line: number): Statement {
  const body = statementsUntilEnd(cursor);
  cursor.expect('END', 'TRY');
  while (cursor.accept(';'));
  cursor.expect('BEGIN', 'CATCH');
  const handler = statementsUntilEnd(cursor);
  cursor.expect('END', 'CATCH');
  return { kind: 'try', line, body, handler };
}

/** DECLARE @a int = 1, @b nvarchar(20), @t TABLE (…). */
export function declare(cursor: TokenStream, line: number): Declare {
  cursor.expect('DECLARE');
  return { kind: 'declare', line, variables: cursor.list(() => declaration(cursor)) };
}

function declaration(cursor: TokenStream): Declaration {
  const token = cursor.peek();
  if (token.kind !== 'variable') throw cursor.unexpected();
  cursor.next();
  cursor.accept('AS');
  if (cursor.accept('TABLE')) {
    cursor.declare(token.text, 'table', token.line);
    return { name: token.text, table: tableBody(cursor) };
  }
  const type = variableType(cursor);
  if (isTableType(type)) {
    cursor.declare(token.text, 'table', token.line);
    return { name: token.text, type };
  }
  const value = cursor.accept('=') ? cursor.expression() : undefined;
  cursor.declare(token.text, 'scalar', token.line);
  return value === undefined ? { name: token.text, type } : { name: token.text, type, value };
}

export function ifStatement(cursor: TokenStream, line: number): Statement {
  cursor.expect('IF');
  const test = cursor.condition();
  const body = cursor.statement();
  if (!cursor.accept('ELSE')) return { kind: 'if', line, condition: test, body };
  return { kind: 'if', line, condition: test, body, otherwise: cursor.statement() };
}

export function whileStatement(cursor: TokenStream, line: number): Statement {
  cursor.expect('WHILE');
  return { kind: 'while', line, condition: cursor.condition(), body: cursor.statement() };
}

export function returnStatement(cursor: TokenStream, line: number): Statement {
  cursor.expect('RETURN');
  return cursor.atStatementEnd ? { kind: 'return', line } : { kind: 'return', line, value: cursor.expression() };
}

export function label(cursor: TokenStream, line: number): Statement {
  const name = cursor.name();
  cursor.expect(':');
  return { kind: 'label', line, label: name };
}
