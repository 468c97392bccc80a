import type { AnyType } from '../tds/types/sql-type.ts';

/** A column of a result set as a client sees it. */
export interface Column {
  readonly name: string;
  readonly type: AnyType;
  readonly nullable: boolean;
  /** True for a table's identity column shown as it is. */
  readonly isIdentity?: boolean;
  /** True for a table's computed column shown as it is. */
  readonly isComputed?: boolean;
  /** The parts of the name of the table that it shows a column of. */
  readonly table?: readonly string[];
}

/** Where the rows and messages of a call go as they come: to the wire, into a table, into an array. */
export interface Sink {
  /** Opens a result set. */
  columns(columns: readonly Column[]): void;
  /** Takes one row, in column order; a promise means that the reader is slow and the producer waits. */
  row(values: readonly unknown[]): void | Promise<void>;
  /** Closes the open result set; `silent` where the client is not told how many rows there were. */
  endRows(count: number, silent?: boolean): void;
  /** A message of severity 10 or less: PRINT, RAISERROR, a change of context. */
  info(message: {
    readonly number: number;
    readonly severity: number;
    readonly state: number;
    readonly text: string;
    readonly procedure?: string;
    readonly line?: number;
  }): void;
}
