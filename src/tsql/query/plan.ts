import type { AnyType } from '../../tds/types/sql-type.ts';
import type { Env } from '../evaluate/compiled.ts';
import type { ColumnSource } from '../statement-sink.ts';
import type { MemoryTable } from '../storage/memory-table.ts';
import type { Batches } from './batches.ts';
import type { Positioned } from './positioned.ts';

/** How a table numbers its rows. */
export interface Numbering {
  readonly seed: bigint;
  readonly increment: bigint;
}

/** A column that a query yields. */
export interface PlanColumn {
  readonly name: string;
  readonly type: AnyType;
  readonly nullable: boolean;
  /** True for NULL without a type, which takes that of the other side of a UNION. */
  readonly bare?: true;
  /** Present for a column of a table, passed through unchanged. */
  readonly source?: ColumnSource;
  readonly table?: readonly string[];
  readonly isIdentity?: boolean;
  /** How its table numbers it; absent if rows of the table may come more than once. */
  readonly numbering?: Numbering;
  readonly isComputed?: boolean;
  /** The name of the column's table in FROM; FOR XML AUTO and FOR JSON AUTO name elements after it. */
  readonly label?: string;
  /** Present for a hidden column that holds rows of a table, as arrays of its values: for changes through a query. */
  readonly carries?: MemoryTable;
  /** The hidden column with the row that this one is a column of, and its place there. */
  readonly base?: { readonly row: number; readonly column: number };
  /** True for a text produced by FOR JSON: another one embeds it unchanged. */
  readonly isJson?: boolean;
}

/** A compiled query. */
export interface Plan {
  readonly columns: readonly PlanColumn[];
  /** The rows, produced on demand; a caller may limit their number. */
  rows(env: Env, most?: number): Batches<readonly unknown[]>;
  /** The execution plan, one line per step, the last step first. */
  explain?(): Promise<readonly string[]>;
  /** True if it uses columns of its outer query. */
  readonly correlated: boolean;
  /** True for a whole statement that only reads through a single engine query. */
  readonly isAlone?: boolean;
  /** Present if a cursor requested it: `rows` are then the rows of the tables, which the cursor rereads. */
  readonly positioned?: Positioned;
  /** The columns that ORDER BY sorts by, counted from 1, where all of them are in the select list. */
  readonly sortedBy?: readonly number[];
}
