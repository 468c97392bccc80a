import type { StatementSync } from 'node:sqlite';
import type { Connection } from './connection.ts';
import { isBusy } from './errors.ts';

/** What a writer says around the statements of calls. */
export type WriterStatements = Record<'begin' | 'savepoint' | 'release' | 'undo' | 'commit', StatementSync>;

/** Prepares it once a connection. */
export const writerStatements = (connection: Connection): WriterStatements => ({
  begin: connection.prepare('begin immediate'),
  savepoint: connection.prepare('savepoint call'),
  release: connection.prepare('release call'),
  undo: connection.prepare('rollback to call'),
  commit: connection.prepare('commit'),
});

/** Begins a transaction with the write lock; false while another process has that. */
export function tryBegin(connection: Connection, { begin }: WriterStatements): boolean {
  try {
    begin.run();
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw connection.translated(error, 'begin immediate');
  }
}
