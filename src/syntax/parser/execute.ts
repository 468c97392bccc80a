import { sqlError } from '../../base/messages/sql-error.ts';
import type { Expression } from '../ast/expression.ts';
import type { Execute, ExecuteArgument, ExecuteText, Statement } from '../ast/statement.ts';
import { bareNull, literal, literalOf, varcharOf } from './literal.ts';
import type { TokenStream } from './token-stream.ts';

/** EXEC[UTE] [@result =] name arguments, or EXEC ('text'). */
export function execute(cursor: TokenStream, line: number): Execute | ExecuteText {
  cursor.next();
  if (cursor.accept('(')) {
    const text = cursor.expression();
    cursor.expect(')');
    return { kind: 'executeText', line, text };
  }
  const result = cursor.peek().kind === 'variable' && cursor.peek(1).upper === '=' ? cursor.variable() : undefined;
  if (result !== undefined) cursor.expect('=');
  return call(cursor, line, result);
}

/** A batch may begin with the bare name of a procedure. */
export function executeWithoutKeyword(cursor: TokenStream): Statement | undefined {
  const bare = cursor.peek();
  if (!cursor.atName && !cursor.is('.')) return undefined;
  if (cursor.peek(1).upper === ':' || bare.upper === 'THROW') return undefined;
  return call(cursor, bare.line, undefined);
}

/** ODBC's `{call name (arguments)}`. */
export function callEscape(cursor: TokenStream, line: number): Execute {
  // What is no call is an error at the brace, as in SQL Server.
  if (cursor.peek(1).upper !== 'CALL') throw cursor.unexpected();
  cursor.expect('{', 'CALL');
  const procedure = cursor.objectName();
  const hasArguments = cursor.accept('(') && !cursor.accept(')');
  const args = hasArguments ? callArguments(cursor) : [];
  if (hasArguments) cursor.expect(')');
  cursor.expect('}');
  return { kind: 'execute', line, procedure, args };
}

function call(cursor: TokenStream, line: number, result: string | undefined): Execute {
  const procedure = cursor.peek().kind === 'variable' ? { variable: cursor.variable() } : cursor.objectName();
  // The number of a procedure group: `name;1`.
  if (cursor.is(';') && cursor.peek(1).kind === 'integer') {
    cursor.next();
    cursor.next();
  }
  const args = cursor.atStatementEnd || cursor.is('WITH') ? [] : callArguments(cursor);
  if (cursor.accept('WITH')) cursor.expect('RECOMPILE');
  return { kind: 'execute', line, procedure, args, ...(result === undefined ? {} : { result }) };
}

function callArguments(cursor: TokenStream): ExecuteArgument[] {
  return cursor.series<ExecuteArgument[]>('arguments', [argument(cursor)], (before) => {
    if (!cursor.accept(',')) return undefined;
    const { line } = cursor.peek();
    const next = argument(cursor);
    const afterName = before.at(-1)?.name !== undefined;
    if (afterName && next.name === undefined) throw sqlError(119, before.length + 1).at({ line });
    before.push(next);
    return before;
  });
}

function argument(cursor: TokenStream): ExecuteArgument {
  const named = cursor.peek().kind === 'variable' && cursor.peek(1).upper === '=' ? { name: cursor.next().text } : {};
  if ('name' in named) cursor.expect('=');
  if (cursor.accept('DEFAULT')) return { ...named, output: false };
  if (cursor.isTable) return { ...named, table: cursor.variable('table'), output: false };
  const value = argumentValue(cursor);
  return { ...named, value, output: cursor.accept('OUTPUT') || cursor.accept('OUT') };
}

/** An argument is a constant, a variable or a bare word, never an expression. */
function argumentValue(cursor: TokenStream): Expression {
  const token = cursor.peek();
  if (token.kind === 'variable') return { kind: 'variable', name: cursor.variable() };
  if (token.kind === 'global') return { kind: 'global', name: cursor.next().text.toUpperCase() };
  if (cursor.accept('NULL')) return bareNull;
  if (token.upper === '-' || token.upper === '+' || literal(token) !== undefined) return signed(cursor);
  if (token.upper === '{') return cursor.expression();
  if (!cursor.atName) throw cursor.unexpected();
  // A bare word is its own text.
  const text = cursor.parts().join('.');
  return literalOf(varcharOf(text.length), text);
}

function signed(cursor: TokenStream): Expression {
  const sign = cursor.is('-') || cursor.is('+') ? cursor.next().upper : '';
  const constant = literal(cursor.peek());
  if (constant === undefined) throw cursor.unexpected();
  cursor.next();
  return sign === '-' ? { kind: 'unary', operator: '-', operand: constant } : constant;
}
