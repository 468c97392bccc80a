import type { Env } from './compiled.ts';

/** A part of an expression that cannot be had at once: a subquery. It is answered for a row before that is evaluated. */
export interface Pending {
  /** Finds the answer for a row; a promise only where there is something to wait for. */
  answer(env: Env): Promise<void> | undefined;
  /** True for a subquery, which may run for long: rows that may not be wanted are not asked for it. */
  readonly isQuery: boolean;
}

/** What was compiled, and the subqueries in it. */
export interface Prepared<T> {
  readonly compiled: T;
  readonly pending: readonly Pending[];
}

/** Answers the subqueries of an expression for a row; a promise only where there is something to wait for. */
export function answered(pending: readonly Pending[], env: Env, from = 0): Promise<void> | undefined {
  for (let at = from; at < pending.length; at++) {
    const wait = pending[at]?.answer(env);
    if (wait !== undefined) return wait.then(() => answered(pending, env, at + 1));
  }
  return undefined;
}

/** The same, with something else made of what was compiled. */
export const preparedAs = <T, U>({ compiled, pending }: Prepared<T>, make: (compiled: T) => U): Prepared<U> => ({
  compiled: make(compiled),
  pending,
});

/** Several as one. */
export const allPrepared = <T>(all: readonly Prepared<T>[]): Prepared<readonly T[]> => ({
  compiled: all.map(({ compiled }) => compiled),
  pending: all.flatMap(({ pending }) => pending),
});
