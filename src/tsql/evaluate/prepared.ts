import type { Env } from './compiled.ts';

/**
 * A part of an expression that is not available at once: a subquery. It is answered for a row before the row is
 * evaluated.
 */
export interface Pending {
  /** Finds the answer for a row; returns a promise only if it has to wait. */
  answer(env: Env): Promise<void> | undefined;
  /** True for a subquery, which may run for long: it is not evaluated for rows that may not be needed. */
  readonly isQuery: boolean;
}

/** A compiled result, and the subqueries in it. */
export interface Prepared<T> {
  readonly compiled: T;
  readonly pending: readonly Pending[];
}

/** Answers the subqueries of an expression for a row; returns a promise only if it has to wait. */
export function answered(pending: readonly Pending[], env: Env, from = 0): Promise<void> | undefined {
  for (let at = from; at < pending.length; at++) {
    const wait = pending[at]?.answer(env);
    if (wait !== undefined) return wait.then(() => answered(pending, env, at + 1));
  }
  return undefined;
}

/** The same, with the compiled result mapped. */
export const preparedAs = <T, U>({ compiled, pending }: Prepared<T>, make: (compiled: T) => U): Prepared<U> => ({
  compiled: make(compiled),
  pending,
});

/** Combines several. */
export const allPrepared = <T>(all: readonly Prepared<T>[]): Prepared<readonly T[]> => ({
  compiled: all.map(({ compiled }) => compiled),
  pending: all.flatMap(({ pending }) => pending),
});
