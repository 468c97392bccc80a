import type { TokenStream } from './token-stream.ts';

/** The keywords that begin a statement. */
const words = [
  'ALTER',
  'BEGIN',
  'BREAK',
  'CLOSE',
  'COMMIT',
  'CONTINUE',
  'CREATE',
  'DBCC',
  'DEALLOCATE',
  'DECLARE',
  'DELETE',
  'DROP',
  'EXEC',
  'EXECUTE',
  'FETCH',
  'GOTO',
  'IF',
  'INSERT',
  'KILL',
  'OPEN',
  'PRINT',
  'RAISERROR',
  'RETURN',
  'ROLLBACK',
  'SAVE',
  'SELECT',
  'SET',
  'THROW',
  'TRUNCATE',
  'UPDATE',
  'USE',
  'WAITFOR',
  'WHILE',
  'WITH',
] as const;
export type StatementWord = (typeof words)[number];

const known: ReadonlySet<string> = new Set(words);

export const isStatementWord = (word: string): word is StatementWord => known.has(word);

/** True when a statement ends here, so that an optional expression is not there. */
export function startsStatement(cursor: TokenStream): boolean {
  return cursor.atEnd || cursor.is(';') || cursor.is('END') || cursor.is('ELSE') || known.has(cursor.peek().upper);
}
