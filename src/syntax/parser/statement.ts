import { sqlError } from '../../base/messages/sql-error.ts';
import type { Statement } from '../ast/statement.ts';
import { deleteStatement, insert, update } from './change.ts';
import { begin, declare, ifStatement, label, returnStatement, whileStatement } from './control.ts';
import { cursorStatement, declareCursor, fetchCursor, isCursorDeclaration } from './cursor-statement.ts';
import { alter, create, drop, truncate } from './definition.ts';
import { callEscape, execute } from './execute.ts';
import { merge } from './merge.ts';
import { print, raiserror, throwStatement, waitfor } from './message.ts';
import { queryAfterWith, withClause } from './query.ts';
import { set } from './set.ts';
import type { TokenStream } from './token-stream.ts';
import { commit, rollback, save } from './transaction.ts';

type Reader = (cursor: TokenStream, line: number) => Statement;

/** What each statement begins with; the keyword itself is still to be read. */
const readers = {
  ALTER: alter,
  BEGIN: begin,
  BREAK: (cursor, line) => word(cursor, line, 'break'),
  CLOSE: (cursor, line) => cursorStatement(cursor, line, 'closeCursor'),
  COMMIT: commit,
  CONTINUE: (cursor, line) => word(cursor, line, 'continue'),
  CREATE: create,
  DBCC: dbcc,
  DEALLOCATE: (cursor, line) => cursorStatement(cursor, line, 'deallocateCursor'),
  DECLARE: (cursor, line) => (isCursorDeclaration(cursor) ? declareCursor(cursor, line) : declare(cursor, line)),
  DELETE: (cursor, line) => deleteStatement(cursor, line, []),
  DROP: drop,
  EXEC: execute,
  EXECUTE: execute,
  FETCH: fetchCursor,
  GOTO: goto,
  IF: ifStatement,
  INSERT: (cursor, line) => insert(cursor, line, []),
  KILL: kill,
  MERGE: (cursor, line) => merge(cursor, line, []),
  OPEN: (cursor, line) => cursorStatement(cursor, line, 'openCursor'),
  PRINT: print,
  RAISERROR: raiserror,
  RETURN: returnStatement,
  ROLLBACK: rollback,
  SAVE: save,
  SELECT: (cursor, line) => ({ kind: 'select', line, query: cursor.query() }),
  SET: set,
  THROW: throwStatement,
  TRUNCATE: truncate,
  UPDATE: (cursor, line) => update(cursor, line, []),
  USE: use,
  WAITFOR: waitfor,
  WHILE: whileStatement,
  WITH: afterWith,
} satisfies Readonly<Record<string, Reader>>;
const readerOf: ReadonlyMap<string, Reader> = new Map(Object.entries(readers));

/** The keywords that begin a statement. */
export type StatementWord = keyof typeof readers;
export const statementWords: ReadonlySet<string> = new Set(readerOf.keys());

/** Reads one statement and the semicolons after it. */
export function statement(cursor: TokenStream): Statement {
  const { line } = cursor;
  const reader = readerOf.get(cursor.peek().upper);
  const found = reader === undefined ? other(cursor, line) : cursor.deeper(() => reader(cursor, line));
  while (cursor.accept(';'));
  return found;
}

function other(cursor: TokenStream, line: number): Statement {
  if (cursor.is('(')) return { kind: 'select', line, query: cursor.query() };
  if (cursor.is('{', 'CALL')) return callEscape(cursor, line);
  if (cursor.atName && cursor.peek(1).upper === ':') return label(cursor, line);
  const { upper, text } = cursor.peek();
  const command = commands[upper];
  if (command !== undefined) throw sqlError(40510, `${upper} ${cursor.peek(1).upper}`.trimEnd(), command).at({ line });
  if (unsupported.has(upper)) throw sqlError(102, text).at({ line });
  throw cursor.unexpected();
}

/** Statements that a command of the operator's does: the server keeps no backups for its clients. */
const commands: Readonly<Record<string, string>> = {
  BACKUP: "'granary backup FILE'",
  RESTORE: "'granary restore FILE'",
};

/** Words that begin a statement of SQL Server's which there is none of here: no keyword in a wrong place (156). */
const unsupported: ReadonlySet<string> = new Set([
  'BULK',
  'CHECKPOINT',
  'DBCC',
  'DENY',
  'GRANT',
  'READTEXT',
  'RECONFIGURE',
  'REVERT',
  'REVOKE',
  'SETUSER',
  'SHUTDOWN',
  'UPDATETEXT',
  'WRITETEXT',
]);

function word(cursor: TokenStream, line: number, kind: 'break' | 'continue'): Statement {
  cursor.next();
  return { kind, line };
}

function goto(cursor: TokenStream, line: number): Statement {
  cursor.next();
  return { kind: 'goto', line, label: cursor.name() };
}

function use(cursor: TokenStream, line: number): Statement {
  cursor.next();
  return { kind: 'use', line, database: cursor.name() };
}

function kill(cursor: TokenStream, line: number): Statement {
  cursor.next();
  if (cursor.peek().kind !== 'integer') throw cursor.unexpected();
  const spid = Number(cursor.next().text);
  return { kind: 'kill', line, spid, statusOnly: cursor.accept('WITH', 'STATUSONLY') };
}

function dbcc(cursor: TokenStream, line: number): Statement {
  cursor.next();
  const command = cursor.name().toUpperCase();
  if (cursor.accept('(')) {
    while (!cursor.is(')') && !cursor.atEnd) cursor.next();
    cursor.expect(')');
  }
  return { kind: 'dbcc', line, command, quiet: cursor.accept('WITH', 'NO_INFOMSGS') };
}

/** WITH before SELECT, INSERT, UPDATE, DELETE or MERGE. */
function afterWith(cursor: TokenStream, line: number): Statement {
  const ctes = withClause(cursor);
  if (cursor.is('INSERT')) return insert(cursor, line, ctes);
  if (cursor.is('UPDATE')) return update(cursor, line, ctes);
  if (cursor.is('DELETE')) return deleteStatement(cursor, line, ctes);
  if (cursor.is('MERGE')) return merge(cursor, line, ctes);
  return { kind: 'select', line, query: queryAfterWith(cursor, ctes) };
}
