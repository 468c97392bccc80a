import type { AnyType } from '../../tds/types/sql-type.ts';
import type { Env } from '../evaluate/compiled.ts';
import type { ColumnSource } from '../statement-sink.ts';
import type { Leaf } from './leaf.ts';
import type { Pause } from './pause.ts';
import type { Positioned } from './positioned.ts';

/** A column that a query yields. */
export interface PlanColumn {
  readonly name: string;
  readonly type: AnyType;
  readonly nullable: boolean;
  /** True for NULL without a type, which takes that of the other side of a UNION. */
  readonly bare?: true;
  /** Present for a column of a table, shown as it is. */
  readonly source?: ColumnSource;
  readonly table?: readonly string[];
  readonly isIdentity?: boolean;
  readonly isComputed?: boolean;
  /** What FROM calls the table of a column that is shown as it is; FOR XML AUTO and FOR JSON AUTO name elements so. */
  readonly label?: string;
  /** True for a text that FOR JSON made: another one takes it as it is. */
  readonly isJson?: boolean;
}

/** A query whose rows may flow while its first relation is read. */
export interface Streaming {
  readonly leaf: Leaf;
  /** Starts a run: takes rows of the leaf one by one, yields rows of the result; `full` once no more are wanted. */
  open(env: Env): { push(row: readonly unknown[]): Iterable<readonly unknown[] | Pause>; readonly full: boolean };
}

/** A query ready to run. */
export interface Plan {
  readonly columns: readonly PlanColumn[];
  /** The rows, with pauses among them; every leaf must have been read. */
  rows(env: Env): Iterable<readonly unknown[] | Pause>;
  /** True when it uses columns of the query around it. */
  readonly correlated: boolean;
  readonly streaming?: Streaming;
  /** Present where a cursor asked for it: `rows` then are the rows of the tables, for the cursor to come back to. */
  readonly positioned?: Positioned;
  /** The columns that ORDER BY sorts by, counted from 1, where all of them are in the select list. */
  readonly sortedBy?: readonly number[];
}
