import type { TransactionStatement } from '../ast/statement.ts';
import type { TokenStream } from './token-stream.ts';

type Action = TransactionStatement['action'];

/** BEGIN TRANSACTION, after BEGIN. */
export function beginTransaction(cursor: TokenStream, line: number): TransactionStatement {
  const isDistributed = cursor.accept('DISTRIBUTED');
  if (!cursor.accept('TRAN')) cursor.expect('TRANSACTION');
  const found = named(cursor, line, 'begin');
  if (cursor.accept('WITH')) {
    cursor.expect('MARK');
    if (cursor.peek().kind === 'string' || cursor.peek().kind === 'nstring') cursor.next();
  }
  return isDistributed ? { ...found, isDistributed } : found;
}

export function commit(cursor: TokenStream, line: number): TransactionStatement {
  return ending(cursor, line, 'COMMIT', 'commit');
}

export function rollback(cursor: TokenStream, line: number): TransactionStatement {
  return ending(cursor, line, 'ROLLBACK', 'rollback');
}

export function save(cursor: TokenStream, line: number): TransactionStatement {
  cursor.expect('SAVE');
  if (!cursor.accept('TRAN')) cursor.expect('TRANSACTION');
  const found = named(cursor, line, 'save');
  if (found.name === undefined) throw cursor.unexpected();
  return found;
}

function ending(cursor: TokenStream, line: number, keyword: string, action: Action): TransactionStatement {
  cursor.expect(keyword);
  if (cursor.accept('WORK') || !(cursor.accept('TRAN') || cursor.accept('TRANSACTION')))
    return { kind: 'transaction', line, action };
  const found = named(cursor, line, action);
  if (cursor.accept('WITH')) {
    cursor.expect('(', 'DELAYED_DURABILITY', '=');
    cursor.next();
    cursor.expect(')');
  }
  return found;
}

/** The name of a transaction is a word or a variable; a label's colon tells that the word is another statement. */
function named(cursor: TokenStream, line: number, action: Action): TransactionStatement {
  if (cursor.peek().kind === 'variable') {
    return { kind: 'transaction', line, action, name: { kind: 'variable', name: cursor.variable() } };
  }
  const taken = cursor.atName && cursor.peek(1).upper !== ':' && !cursor.is('THROW');
  return taken ? { kind: 'transaction', line, action, name: cursor.name() } : { kind: 'transaction', line, action };
}
