import { SqlError } from '../../base/sql-error.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';

/** What an expression sees when it is evaluated: the rows of FROM, what was grouped, and the query around. */
export interface Env {
  /** One row for each source of FROM; null where an outer join found none. */
  readonly rows: readonly (readonly unknown[] | null)[];
  /** Values of GROUP BY, then of aggregates. */
  readonly groups: readonly unknown[];
  /** Values of window functions. */
  readonly windows: readonly unknown[];
  readonly outer: Env | undefined;
}

/** Outside any query. */
export const noRows: Env = { rows: [], groups: [], windows: [], outer: undefined };

/** An expression ready to run: its type is known before any row is. */
export interface Compiled {
  readonly type: AnyType;
  readonly nullable: boolean;
  evaluate(env: Env): unknown;
  /** The name that a result column takes from it: a column's own. */
  readonly name?: string;
  /** For a constant of int: its digits, which decide the type of a decimal operation. */
  readonly digits?: number;
  /** True for a text that FOR JSON made. */
  readonly isJson?: boolean;
  /** True for NULL without a type, which takes any. */
  readonly bare?: true;
  /** Hears which type a bare value takes. */
  deduce?(type: AnyType): void;
}

/** A condition ready to run; null is unknown. */
export type Test = (env: Env) => boolean | null;

export const constant = (type: AnyType, value: unknown): Compiled => ({
  type,
  nullable: value === null,
  evaluate: () => value,
});

/** What work comes to; undefined where it ends in an error that T-SQL knows. */
export function unlessRefused<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof SqlError) return undefined;
    throw error;
  }
}
