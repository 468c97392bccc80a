import type { ColumnInfo } from '../../tds/token/col-metadata.ts';

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

/** The destination of the rows and messages of a call: the wire, a table or an array. */
export interface Sink {
  /** Opens a result set. */
  columns(columns: readonly Column[]): void;
  /** Takes one row, in column order; returns a promise if the reader is slow and the producer must wait. */
  row(values: readonly unknown[]): void | Promise<void>;
  /** Closes the open result set; `silent` if the client is not sent the row count. */
  endRows(count: number, silent?: boolean): void;
  /** PRINT, RAISERROR, a change of context. */
  info(message: InfoMessage): void;
}
