import { SqlError } from '../../base/messages/sql-error.ts';
import { atOnce, inTurns, type Steps } from '../../base/threads/steps.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { isLong } from '../../values/long-value.ts';
import type { Compiled, Env } from './compiled.ts';
import { unlessRefused } from './compiled.ts';
import type { Context } from './context.ts';

/** True for a type whose values may be long. */
export const mayBeLong = ({ name, maxLength }: AnyType): boolean =>
  maxLength < 0 || name === 'text' || name === 'ntext' || name === 'image' || name === 'xml';

/**
 * A value computed from other values. If these may be long it is computed before the expression is evaluated, like
 * subqueries, so that other sessions get their turn in between; if the values are still the same at evaluation (a
 * variable may have changed), nothing is computed twice.
 */
export function madeOf<T>(
  args: readonly Compiled[],
  context: Context,
  make: (values: readonly unknown[]) => T,
  steps?: (values: readonly unknown[]) => Steps<T>,
): (env: Env) => T {
  const valuesFor = (env: Env): readonly unknown[] => args.map((arg) => arg.evaluate(env));
  if (!args.some(({ type }) => mayBeLong(type))) return (env) => make(valuesFor(env));
  let last:
    | ({ readonly values: readonly unknown[] } & ({ readonly result: T } | { readonly error: SqlError }))
    | undefined;
  const madeOf = (values: readonly unknown[]) =>
    last?.values.every((value, at) => value === values[at]) ? last : undefined;
  const work = async (values: readonly unknown[]): Promise<void> => {
    const { turn } = context.run;
    try {
      const result = steps === undefined ? make(values) : await inTurns(steps(values), turn);
      last = { values, result };
    } catch (error) {
      if (!(error instanceof SqlError)) throw error;
      last = { values, error };
    }
    if (turn.isOver) await turn.giveWay();
  };
  context.await({
    isQuery: false,
    answer(env) {
      // An error in one of the values belongs to the evaluation.
      const values = unlessRefused(() => valuesFor(env));
      return values?.some(isLong) && madeOf(values) === undefined ? work(values) : undefined;
    },
  });
  return (env) => {
    const values = valuesFor(env);
    const made = madeOf(values);
    if (made === undefined) return make(values);
    if ('error' in made) throw made.error;
    return made.result;
  };
}

/** The same for a value that can only be computed in steps. */
export const madeInSteps = <T>(
  args: readonly Compiled[],
  context: Context,
  steps: (values: readonly unknown[]) => Steps<T>,
): ((env: Env) => T) => madeOf(args, context, (values) => atOnce(steps(values)), steps);
