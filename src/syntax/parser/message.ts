import type { Expression } from '../ast/expression.ts';
import type { Statement } from '../ast/statement.ts';
import type { TokenStream } from './token-stream.ts';

export function print(cursor: TokenStream, line: number): Statement {
  cursor.expect('PRINT');
  return { kind: 'print', line, value: cursor.expression() };
}

/** RAISERROR (message, severity, state, arguments…) WITH options. */
export function raiserror(cursor: TokenStream, line: number): Statement {
  cursor.expect('RAISERROR', '(');
  const message = cursor.expression();
  cursor.expect(',');
  const severity = cursor.expression();
  cursor.expect(',');
  const state = cursor.expression();
  const args: Expression[] = [];
  while (cursor.accept(',')) args.push(cursor.expression());
  cursor.expect(')');
  return { kind: 'raiserror', line, message, severity, state, args, options: raiseOptions(cursor) };
}

const knownOptions = new Set(['LOG', 'NOWAIT', 'SETERROR']);

function raiseOptions(cursor: TokenStream): string[] {
  if (!cursor.accept('WITH')) return [];
  return cursor.list(() => {
    if (!cursor.isOneOf(knownOptions)) throw cursor.unexpected();
    return cursor.next().upper;
  });
}

/** THROW, or THROW number, message, state. */
export function throwStatement(cursor: TokenStream, line: number): Statement {
  cursor.expect('THROW');
  if (cursor.atStatementEnd) return { kind: 'throw', line };
  const number = cursor.expression();
  cursor.expect(',');
  const message = cursor.expression();
  cursor.expect(',');
  return { kind: 'throw', line, error: { number, message, state: cursor.expression() } };
}

/** WAITFOR DELAY 'hh:mm:ss' or TIME 'hh:mm:ss'. */
export function waitfor(cursor: TokenStream, line: number): Statement {
  cursor.expect('WAITFOR');
  const unit = cursor.accept('DELAY') ? 'delay' : 'time';
  if (unit === 'time') cursor.expect('TIME');
  return { kind: 'waitfor', line, unit, value: cursor.expression() };
}
