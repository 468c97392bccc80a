import type { SqlError } from '../base/messages/sql-error.ts';
import type { Sink } from '../procedure/run/sink.ts';
import type { Positioned } from './query/positioned.ts';

/** The statement that ended, as CurCmd of its DONE token names it; the session knows the numbers. */
export type Command =
  | 'select'
  | 'select into'
  | 'insert'
  | 'update'
  | 'delete'
  | 'merge'
  | 'execute'
  | 'set'
  | 'declare'
  | 'begin transaction'
  | 'commit transaction'
  | 'rollback transaction'
  | 'save transaction'
  | 'create index'
  | 'drop index'
  | 'alter table'
  | 'create database'
  | 'drop database'
  | 'drop schema'
  | 'create table'
  | 'drop table'
  | 'truncate table'
  | 'create procedure'
  | 'drop procedure'
  | 'use'
  | 'print'
  | 'raiserror'
  | 'waitfor'
  | 'insert bulk'
  | 'other';

/** How a statement that sends no rows ended. */
export interface StatementEnd {
  readonly command: Command;
  /** The number of rows it changed; undefined for a statement that changes none. The session omits it under NOCOUNT. */
  readonly count?: number;
  /** True after an error: the session sends DONE_ERROR and no count. */
  readonly failed?: boolean;
}

/** Where a column of a result set comes from. */
export interface ColumnSource {
  /** What stands for the table wherever the statement names it, and the parts of its name; absent for an expression. */
  readonly table?: { readonly place: object | number; readonly name: readonly string[] };
  /** The column's own name in that table. */
  readonly column?: string;
  /** True for a column of the table's key. */
  readonly isKey?: boolean;
  /** True for one that no user asked for. */
  readonly isHidden?: boolean;
}

/**
 * What the statements of a batch report to, in order. A SELECT is columns, row…, endRows and nothing more: endRows ends
 * the statement (CurCmd SELECT, with its count). Any other statement that SQL Server answers calls `done` once. Between
 * `enter` and `leave` the same calls belong to a procedure: DONE there is DONEINPROC.
 */
export interface StatementSink extends Sink {
  /** A statement without rows has ended. */
  done(end: StatementEnd): void;
  /** An error of severity 11 or more; what follows shows whether the batch continues. */
  error(error: SqlError): void;
  /** Which columns, counted from 1, the open result set is sorted by; called after `columns`. */
  order?(columns: readonly number[]): void;
  /** Where the columns of the open result set come from, for clients that change its rows; called after `columns`. */
  sources?(columns: readonly ColumnSource[]): void;
  /** Called between statements; returns a promise if the client reads slowly, or if others have waited long enough. */
  rest?(): void | Promise<void>;
  /** Sends what has been reported so far at once: RAISERROR … WITH NOWAIT. */
  sendNow?(): void | Promise<void>;
  /**
   * Present for a cursor that rereads its rows: a SELECT that allows this says how, and yields keys instead of rows.
   */
  readonly positioned?: (positioned: Positioned) => void;
  /** A procedure begins, called by an EXECUTE of the batch. */
  enter(procedure: string): void;
  /**
   * That procedure has ended: RETURNSTATUS and DONEPROC at the outermost level; no status when more than the procedure
   * was aborted, or CATCH took over. `failed`: an error ended it.
   */
  leave(status: number | undefined, failed?: boolean): void;
}
