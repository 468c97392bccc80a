import { SqlError } from '../../base/sql-error.ts';
import { atOnce, inTurns, type Steps } from '../../base/steps.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { isLong } from '../../values/long-value.ts';
import type { Compiled, Env } from './compiled.ts';
import type { Context } from './context.ts';
import type { Pending } from './prepared.ts';

/** True for a type whose values may be long. */
export const mayBeLong = ({ name, maxLength }: AnyType): boolean =>
  maxLength < 0 || name === 'text' || name === 'ntext' || name === 'image' || name === 'xml';

/**
 * What an expression makes of other values. Where these may be long it is made before the expression is evaluated, as
 * the answers of subqueries are, so that other sessions have their turn in between; if the values are still the same
 * when the expression is evaluated (a variable may have changed), nothing is made twice.
 */
export function madeOf<T>(
  args: readonly Compiled[],
  context: Context,
  make: (values: readonly unknown[]) => T,
  steps?: (values: readonly unknown[]) => Steps<T>,
): (env: Env) => T {
  if (!args.some(({ type }) => mayBeLong(type))) return (env) => make(args.map((arg) => arg.evaluate(env)));
  const work = new LongWork(args, context, make, steps);
  context.await(work);
  return (env) => work.read(env);
}

class LongWork<T> implements Pending {
  readonly isQuery = false;
  readonly #args: readonly Compiled[];
  readonly #context: Context;
  readonly #make: (values: readonly unknown[]) => T;
  readonly #steps: ((values: readonly unknown[]) => Steps<T>) | undefined;
  #made:
    | ({ readonly values: readonly unknown[] } & ({ readonly result: T } | { readonly error: SqlError }))
    | undefined;

  constructor(
    args: readonly Compiled[],
    context: Context,
    make: (values: readonly unknown[]) => T,
    steps: ((values: readonly unknown[]) => Steps<T>) | undefined,
  ) {
    this.#args = args;
    this.#context = context;
    this.#make = make;
    this.#steps = steps;
  }

  answer(env: Env): Promise<void> | undefined {
    const values = this.#values(env);
    if (values === undefined || !values.some(isLong)) return undefined;
    return this.#madeOf(values) === undefined ? this.#work(values) : undefined;
  }

  read(env: Env): T {
    const values = this.#args.map((arg) => arg.evaluate(env));
    const made = this.#made === undefined ? undefined : this.#madeOf(values);
    if (made === undefined) return this.#make(values);
    if ('error' in made) throw made.error;
    return made.result;
  }

  /** The values for a row; undefined where one of them is an error, which belongs to whoever evaluates. */
  #values(env: Env): readonly unknown[] | undefined {
    try {
      return this.#args.map((arg) => arg.evaluate(env));
    } catch (error) {
      if (error instanceof SqlError) return undefined;
      throw error;
    }
  }

  #madeOf(values: readonly unknown[]) {
    return this.#made?.values.every((value, at) => value === values[at]) ? this.#made : undefined;
  }

  async #work(values: readonly unknown[]): Promise<void> {
    const { turn } = this.#context.run;
    try {
      const result = this.#steps === undefined ? this.#make(values) : await inTurns(this.#steps(values), turn);
      this.#made = { values, result };
    } catch (error) {
      if (!(error instanceof SqlError)) throw error;
      this.#made = { values, error };
    }
    if (turn.isOver) await turn.giveWay();
  }
}

/** The same for what is only to be had in steps. */
export const madeInSteps = <T>(
  args: readonly Compiled[],
  context: Context,
  steps: (values: readonly unknown[]) => Steps<T>,
): ((env: Env) => T) => madeOf(args, context, (values) => atOnce(steps(values)), steps);
