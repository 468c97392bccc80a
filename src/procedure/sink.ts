import type { ColumnInfo } from '../tds/token/col-metadata.ts';

/** A column of a result set as a client sees it. */
export type Column = ColumnInfo;

/** A message that is no error, of severity 10 or less. */
export interface InfoMessage {
  readonly number: number;
  readonly severity: number;
  readonly state: number;
  readonly text: string;
  readonly procedure?: string;
  readonly line?: number;
}

/** Where the rows and messages of a call go as they come: to the wire, into a table, into an array. */
export interface Sink {
  /** Opens a result set. */
  columns(columns: readonly Column[]): void;
  /** Takes one row, in column order; a promise means that the reader is slow and the producer waits. */
  row(values: readonly unknown[]): void | Promise<void>;
  /** Closes the open result set; `silent` where the client is not told how many rows there were. */
  endRows(count: number, silent?: boolean): void;
  /** PRINT, RAISERROR, a change of context. */
  info(message: InfoMessage): void;
}
