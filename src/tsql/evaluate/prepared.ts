import { SqlError } from '../../base/sql-error.ts';
import type { Compiled, Env } from './compiled.ts';

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

/** What evaluates an expression. */
export const evaluator =
  ({ evaluate }: Compiled) =>
  (env: Env): unknown =>
    evaluate(env);

/** Several as one. */
export const allPrepared = <T>(all: readonly Prepared<T>[]): Prepared<readonly T[]> => ({
  compiled: all.map(({ compiled }) => compiled),
  pending: all.flatMap(({ pending }) => pending),
});

/**
 * Keeps the answer of a subquery for the row it was asked for last, or, where it depends on no row, for good. An error
 * is kept too and thrown where the answer is read: a branch of CASE that is not taken does not fail.
 */
export class Answer<T> implements Pending {
  readonly isQuery = true;
  readonly #correlated: boolean;
  readonly #find: (env: Env) => Promise<T>;
  #found: { readonly env: Env; readonly value: T } | { readonly env: Env; readonly error: SqlError } | undefined;

  constructor(correlated: boolean, find: (env: Env) => Promise<T>) {
    this.#correlated = correlated;
    this.#find = find;
  }

  answer(env: Env): Promise<void> | undefined {
    return this.#isThere(env) ? undefined : this.#ask(env);
  }

  read(env: Env): T {
    const found = this.#found;
    if (found === undefined || !this.#isThere(env)) throw new Error('a subquery was read before it was answered');
    if ('error' in found) throw found.error;
    return found.value;
  }

  #isThere(env: Env): boolean {
    return this.#found !== undefined && (!this.#correlated || this.#found.env === env);
  }

  async #ask(env: Env): Promise<void> {
    try {
      this.#found = { env, value: await this.#find(env) };
    } catch (error) {
      if (!(error instanceof SqlError)) throw error;
      this.#found = { env, error };
    }
  }
}
