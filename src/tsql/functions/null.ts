import { int } from '../../tds/types/index.ts';
import { compareSteps } from '../../values/compare.ts';
import { comparisonType } from '../../values/precedence.ts';
import { coerce, commonOf } from '../evaluate/coerce.ts';
import { reused } from '../evaluate/compiled.ts';
import type { FunctionSpec } from '../evaluate/context.ts';
import { madeInSteps } from '../evaluate/long-work.ts';
import { compiledBy } from './define.ts';

const isNull = compiledBy(2, 2, ([first, second], context) => {
  // The result has the type of the first argument, unlike COALESCE's.
  const type = first.bare ? second.type : first.type;
  const value = coerce(first, type, context);
  const instead = coerce(second, type, context);
  return { type, nullable: instead.nullable, evaluate: (env) => value.evaluate(env) ?? instead.evaluate(env) };
});

const coalesce = compiledBy(1, 255, (args, context) => {
  const type = commonOf(args) ?? int;
  const values = args.map((arg) => coerce(arg, type, context));
  return {
    type,
    nullable: values.every(({ nullable }) => nullable),
    evaluate(env) {
      for (const value of values) {
        const found = value.evaluate(env);
        if (found !== null) return found;
      }
      return null;
    },
  };
});

const nullIf = compiledBy(2, 2, ([first, second], context) => {
  const type = comparisonType(first.type, second.type, '=');
  const { value, once } = reused(first);
  const [a, b] = [coerce(value, type, context), coerce(second, type, context)];
  const isEqual = madeInSteps([a, b], context, function* ([x, y]) {
    return x !== null && y !== null && (yield* compareSteps(x, y, type)) === 0;
  });
  const evaluate = once((env) => (isEqual(env) ? null : value.evaluate(env)));
  return { type: first.type, nullable: true, evaluate };
});

const choose = compiledBy(2, 255, ([index, ...choices], context) => {
  const type = commonOf(choices) ?? int;
  const which = coerce(index, int, context);
  const values = choices.map((choice) => coerce(choice, type, context));
  return {
    type,
    nullable: true,
    evaluate: (env) => values[Number(which.evaluate(env) ?? 0) - 1]?.evaluate(env) ?? null,
  };
});

/** The greatest or the least of some values; NULL only if all of them are. */
const extreme = (direction: 1 | -1) =>
  compiledBy(1, 254, (args, context) => {
    const type = commonOf(args) ?? int;
    const values = args.map((arg) => coerce(arg, type, context));
    const evaluate = madeInSteps(values, context, function* (all) {
      let best: unknown = null;
      for (const value of all) {
        if (value === null) continue;
        if (best === null || (yield* compareSteps(value, best, type)) * direction > 0) best = value;
      }
      return best;
    });
    return { type, nullable: values.every(({ nullable }) => nullable), evaluate };
  });

/** The functions about NULL and choice; IIF is read as CASE. */
export const nullFunctions: Readonly<Record<string, FunctionSpec>> = {
  ISNULL: isNull,
  COALESCE: coalesce,
  NULLIF: nullIf,
  CHOOSE: choose,
  GREATEST: extreme(1),
  LEAST: extreme(-1),
};
