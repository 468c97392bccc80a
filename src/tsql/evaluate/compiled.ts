import { SqlError } from '../../base/messages/sql-error.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';

/** The environment in which an expression is evaluated: the rows of FROM, groups, and the outer query. */
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

/** A compiled expression: its type is known before any row is. */
export interface Compiled {
  readonly type: AnyType;
  readonly nullable: boolean;
  evaluate(env: Env): unknown;
  /** The name that a result column takes from it: that of a column. */
  readonly name?: string;
  /** For a constant of int: its digits, which decide the type of a decimal operation. */
  readonly digits?: number;
  /** True for a text produced by FOR JSON. */
  readonly isJson?: boolean;
  /** True for NULL without a type, which takes any. */
  readonly bare?: true;
  /** Receives the type that an untyped value takes. */
  deduce?(type: AnyType): void;
}

/** A compiled condition; null is unknown. */
export type Test = (env: Env) => boolean | null;

export const constant = (type: AnyType, value: unknown): Compiled => ({
  type,
  nullable: value === null,
  evaluate: () => value,
});

/** A value that one expression uses several times. */
interface Reused {
  readonly value: Compiled;
  /** Makes all uses of the value in an evaluation share one evaluation of it. */
  once<T>(use: (env: Env) => T): (env: Env) => T;
}

/**
 * A value that is evaluated once however often an expression uses it: of n such expressions, each within the next, the
 * innermost would otherwise be evaluated 2^n times.
 */
export function reused(operand: Compiled): Reused {
  let isKnown = false;
  let known: unknown;
  return {
    value: { ...operand, evaluate: (env) => (isKnown ? known : operand.evaluate(env)) },
    once: (use) => (env) => {
      known = operand.evaluate(env);
      isKnown = true;
      try {
        return use(env);
      } finally {
        isKnown = false;
        known = undefined;
      }
    },
  };
}

/** The result of work; undefined if it fails with a T-SQL error. */
export function unlessRefused<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof SqlError) return undefined;
    throw error;
  }
}
