import type { AnyType } from '../../tds/types/sql-type.ts';
import type { Env } from '../evaluate/compiled.ts';
import type { ColumnSource } from '../statement-sink.ts';
import type { Batches } from './batches.ts';
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

/** A query ready to run. */
export interface Plan {
  readonly columns: readonly PlanColumn[];
  /** The rows, made as they are asked for; who wants no more than so many may say so. */
  rows(env: Env, most?: number): Batches<readonly unknown[]>;
  /** How it would run, a line a step, the last step first. */
  explain?(): Promise<readonly string[]>;
  /** True when it uses columns of the query around it. */
  readonly correlated: boolean;
  /** True for a whole statement that reads nothing but what it asks the engine once. */
  readonly isAlone?: boolean;
  /** Present where a cursor asked for it: `rows` then are the rows of the tables, for the cursor to come back to. */
  readonly positioned?: Positioned;
  /** The columns that ORDER BY sorts by, counted from 1, where all of them are in the select list. */
  readonly sortedBy?: readonly number[];
}
