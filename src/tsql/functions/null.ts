import { sqlError } from '../../base/sql-error.ts';
import { int } from '../../tds/types/index.ts';
import { compareValues } from '../../values/compare.ts';
import { comparisonType } from '../../values/precedence.ts';
import { coerce, commonOf } from '../evaluate/coerce.ts';
import type { Compiled } from '../evaluate/compiled.ts';
import type { FunctionSpec } from '../evaluate/context.ts';

function at(args: readonly Compiled[], index: number): Compiled {
  const arg = args[index];
  if (arg === undefined) throw sqlError(174, '', index + 1);
  return arg;
}

const isNull: FunctionSpec = {
  min: 2,
  max: 2,
  compile(args, context) {
    const first = at(args, 0);
    // The result has the type of the first argument, unlike COALESCE's.
    const type = first.bare ? at(args, 1).type : first.type;
    const value = coerce(first, type, context);
    const instead = coerce(at(args, 1), type, context);
    return { type, nullable: instead.nullable, evaluate: (env) => value.evaluate(env) ?? instead.evaluate(env) };
  },
};

const coalesce: FunctionSpec = {
  min: 1,
  max: 255,
  compile(args, context) {
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
  },
};

const nullIf: FunctionSpec = {
  min: 2,
  max: 2,
  compile(args, context) {
    const first = at(args, 0);
    const type = comparisonType(first.type, at(args, 1).type, '=');
    const [a, b] = [coerce(first, type, context), coerce(at(args, 1), type, context)];
    return {
      type: first.type,
      nullable: true,
      evaluate(env) {
        const [x, y] = [a.evaluate(env), b.evaluate(env)];
        return x !== null && y !== null && compareValues(x, y, type) === 0 ? null : first.evaluate(env);
      },
    };
  },
};

const choose: FunctionSpec = {
  min: 2,
  max: 255,
  compile([index, ...choices], context) {
    const type = commonOf(choices) ?? int;
    const which = coerce(at(index === undefined ? [] : [index], 0), int, context);
    const values = choices.map((choice) => coerce(choice, type, context));
    return {
      type,
      nullable: true,
      evaluate: (env) => values[Number(which.evaluate(env) ?? 0) - 1]?.evaluate(env) ?? null,
    };
  },
};

/** The functions about NULL and choice; IIF is read as CASE. */
export const nullFunctions: Readonly<Record<string, FunctionSpec>> = {
  ISNULL: isNull,
  COALESCE: coalesce,
  NULLIF: nullIf,
  CHOOSE: choose,
};
