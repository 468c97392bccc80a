import { sqlError } from '../../base/messages/sql-error.ts';
import type { Steps } from '../../base/threads/steps.ts';
import type { FunctionCall } from '../../syntax/ast/expression.ts';
import type { OrderItem } from '../../syntax/ast/query.ts';
import { convert } from '../../tds/convert/convert.ts';
import { familyOf, isUnicode } from '../../tds/convert/families.ts';
import type { Decimal } from '../../tds/types/decimal.ts';
import * as t from '../../tds/types/index.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { decimalOperation, type Operation, operations, wholeIn } from '../../values/arithmetic.ts';
import { compareSteps, compareValues } from '../../values/compare.ts';
import { isLongKey, type KeyValues, keyOf, keySteps } from '../../values/key.ts';
import { isLong, refuseHuge } from '../../values/long-value.ts';
import { textOf } from '../../values/precedence.ts';
import { coerce } from '../evaluate/coerce.ts';
import { type Compiled, constant, type Env } from '../evaluate/compiled.ts';
import type { Context, Scope } from '../evaluate/context.ts';
import { refuseWindowsIn } from '../evaluate/nested-windows.ts';
import { addKey, sizeOf } from '../query/run.ts';
import { byKeys, sortSteps } from '../query/sort.ts';

/** Accumulates the rows of a group one by one. */
export interface Accumulator {
  /** Adds a row; for a long value the remaining work is returned, so that others get their turn in between. */
  add(env: Env): Steps<void> | undefined;
  /** The work left before the result is available, if it may be much. */
  settle?(): Steps<void>;
  result(): unknown;
}

/** An aggregate ready to run. */
export interface Aggregate {
  readonly type: AnyType;
  /** Starts a group; `grow` is called with the memory that its values take. */
  start(grow: (bytes: number) => void): Accumulator;
}

/** Collects values, ignoring NULLs. */
interface Fold {
  readonly type: AnyType;
  start(grow: (bytes: number) => void): {
    /** Adds a value; for a long one, returns the work as steps. */
    take(value: unknown, env: Env): Steps<void> | undefined;
    settle?(): Steps<void>;
    result(): unknown;
  };
}

/** Compiles a call of an aggregate over the rows of a scope. */
export function compileAggregate(call: FunctionCall, scope: Scope, context: Context): Aggregate {
  const skipNull = (): void => {
    context.frame.nullEliminated = true;
  };
  if (call.star) return counting(constant(t.int, 1), false, call.name, skipNull);
  const [first, second] = call.args;
  if (first === undefined) throw sqlError(174, call.name.toLowerCase(), 1);
  refuseWindowsIn(call.args);
  const operand = context.expression(first, scope);
  if (call.name === 'COUNT' || call.name === 'COUNT_BIG') return counting(operand, call.distinct, call.name, skipNull);
  const separator = second === undefined ? undefined : context.expression(second, scope);
  if (call.within !== undefined && call.name !== 'STRING_AGG') throw sqlError(10757, call.name);
  const plain = foldOf(call.name, operand, separator, context);
  const gather = call.within === undefined ? plain : inOrder(plain, call.within, scope, context);
  return over(inputOf(call.name, operand, context), call.distinct, gather, skipNull);
}

function inputOf(name: string, operand: Compiled, context: Context): Compiled {
  if (name === 'SUM' || name === 'AVG') return summable(operand, name, context);
  return name === 'CHECKSUM_AGG' ? coerce(operand, t.int, context) : operand;
}

/** Feeds values to an aggregate; `skipNull` is called for each NULL that is skipped. */
function over(operand: Compiled, distinct: boolean, gather: Fold, skipNull: () => void): Aggregate {
  return {
    type: gather.type,
    start(grow) {
      const inner = gather.start(grow);
      const seen = new Set<string>();
      const isNew = (key: string): boolean => addKey(seen, key, { grow });
      function* takeLong(key: KeyValues, value: unknown, env: Env): Steps<void> {
        if (!isNew(yield* keySteps(key))) return;
        const work = inner.take(value, env);
        if (work !== undefined) yield* work;
      }
      return {
        add(env) {
          const value = operand.evaluate(env);
          if (value === null) {
            skipNull();
            return undefined;
          }
          if (!distinct) return inner.take(value, env);
          const key = [[value, operand.type]] as const;
          if (isLongKey(key)) return takeLong(key, value, env);
          return isNew(keyOf(key)) ? inner.take(value, env) : undefined;
        },
        ...(inner.settle === undefined ? {} : { settle: inner.settle }),
        result: () => inner.result(),
      };
    },
  };
}

/** Folds values into one state. */
const folding = <S>(
  type: AnyType,
  initial: S,
  next: (state: S, value: unknown, env: Env) => S,
  result: (state: S) => unknown = (state) => state,
): Fold => ({
  type,
  start() {
    let state = initial;
    return {
      take(value, env) {
        state = next(state, value, env);
        return undefined;
      },
      result: () => result(state),
    };
  },
});

function counting(operand: Compiled, distinct: boolean, name: string, skipNull: () => void): Aggregate {
  const big = name === 'COUNT_BIG';
  const next = (count: number): number => count + 1;
  const gather = folding(big ? t.bigint : t.int, 0, next, (count) => (big ? BigInt(count) : count));
  return over(operand, distinct, gather, skipNull);
}

/** Small integers add up as int, text not at all. */
function summable(operand: Compiled, name: string, context: Context): Compiled {
  const family = familyOf(operand.type.name);
  if (family === 'integer') return operand.type.name === 'bigint' ? operand : coerce(operand, t.int, context);
  if (family === 'decimal') return operand;
  if (family === 'money') return coerce(operand, t.money, context);
  if (family === 'float') return coerce(operand, t.float, context);
  throw sqlError(8117, operand.type.name, name.toLowerCase());
}

function foldOf(name: string, operand: Compiled, separator: Compiled | undefined, context: Context): Fold {
  switch (name) {
    case 'MIN':
      return extreme(operand.type, -1);
    case 'MAX':
      return extreme(operand.type, 1);
    case 'SUM':
      return sum(summable(operand, name, context).type);
    case 'AVG':
      return average(summable(operand, name, context).type);
    case 'STRING_AGG':
      return joined(operand, separator, context);
    case 'CHECKSUM_AGG':
      return folding(t.int, 0, (sum, value) => sum ^ Number(value));
    default:
      return spread(name, operand.type);
  }
}

function extreme(type: AnyType, direction: 1 | -1): Fold {
  if (type.name === 'bit') throw sqlError(8117, 'bit', direction < 0 ? 'min' : 'max');
  return {
    type,
    start() {
      let best: unknown = null;
      function* takeLong(value: unknown): Steps<void> {
        if ((yield* compareSteps(value, best, type)) * direction > 0) best = value;
      }
      return {
        take(value) {
          if (best !== null && (isLong(value) || isLong(best))) return takeLong(value);
          if (best === null || compareValues(value, best, type) * direction > 0) best = value;
          return undefined;
        },
        result: () => best,
      };
    },
  };
}

const adder = (type: AnyType): Operation => operations[familyOf(type.name) as keyof typeof operations]('+', type);

const sumType = (type: AnyType): AnyType => (familyOf(type.name) === 'decimal' ? t.decimal(38, type.scale) : type);

function sum(type: AnyType): Fold {
  if (familyOf(type.name) === 'integer') {
    // Without a bound: only the sum itself has to be in range.
    const whole = (total: bigint | null) => (total === null ? null : wholeIn(total, type));
    return folding<bigint | null>(
      type,
      null,
      (total, value) => (total ?? 0n) + BigInt(value as bigint | number),
      whole,
    );
  }
  const result = sumType(type);
  const add = adder(result);
  return folding<unknown>(result, null, (total, value) => (total === null ? value : add(total, value)));
}

function average(type: AnyType): Fold {
  const family = familyOf(type.name);
  const result = family === 'decimal' ? t.decimal(38, Math.max(type.scale, 6)) : type;
  const total = sum(family === 'integer' ? t.bigint : type);
  return {
    type: result,
    start(grow) {
      const inner = total.start(grow);
      let count = 0;
      return {
        take(value, env) {
          count++;
          return inner.take(value, env);
        },
        result: () => (count === 0 ? null : quotient(inner.result(), count, result)),
      };
    },
  };
}

function quotient(total: unknown, count: number, type: AnyType): unknown {
  if (typeof total === 'bigint') return convert(total / BigInt(count), t.bigint, type, { implicit: false });
  if (typeof total === 'number') return total / count;
  const divide = decimalOperation('/', type);
  return divide(total as Decimal, { unscaled: BigInt(count), scale: 0 });
}

function joined(operand: Compiled, separator: Compiled | undefined, context: Context): Fold {
  const text = coerce(operand, textOf(isUnicode(operand.type.name), Number.POSITIVE_INFINITY), context).type;
  return folding<string | null>(text, null, (before, value, env) => {
    const shown = String(convert(value, operand.type, text, { implicit: false }));
    if (before === null) return shown;
    const between = String(separator?.evaluate(env) ?? '');
    refuseHuge(before.length + between.length + shown.length);
    return `${before}${between}${shown}`;
  });
}

/** Holds the values of a group until it is complete, and passes them on in order. */
function inOrder(gather: Fold, order: readonly OrderItem[], scope: Scope, context: Context): Fold {
  const by = order.map(({ expression }) => context.expression(expression, scope));
  const keysOf = by.map(({ type }, at) => ({ type, descending: order[at]?.descending === true }));
  interface Held {
    readonly value: unknown;
    readonly env: Env;
    readonly keys: readonly unknown[];
  }
  return {
    type: gather.type,
    start(grow) {
      const held: Held[] = [];
      let inner = gather.start(grow);
      return {
        take(value, env) {
          const keys = by.map((each) => each.evaluate(env));
          grow(sizeOf(value) + sizeOf(keys));
          held.push({ value, env, keys });
          return undefined;
        },
        *settle() {
          inner = gather.start(grow);
          for (const { value, env } of yield* sortSteps(held, byKeys(keysOf))) {
            const work = inner.take(value, env);
            if (work !== undefined) yield* work;
            yield;
          }
        },
        result: () => inner.result(),
      };
    },
  };
}

/** Standard deviation and variance, of a sample or (P) of the whole. */
function spread(name: string, type: AnyType): Fold {
  const none = { count: 0, mean: 0, squares: 0 };
  const next = ({ count: before, mean, squares }: typeof none, value: unknown): typeof none => {
    const number = Number(convert(value, type, t.float, { implicit: false }));
    const count = before + 1;
    const distance = number - mean;
    const shifted = mean + distance / count;
    return { count, mean: shifted, squares: squares + distance * (number - shifted) };
  };
  return folding(t.float, none, next, ({ count, squares }) => {
    const divisor = name.endsWith('P') ? count : count - 1;
    if (divisor < 1) return null;
    return name.startsWith('STDEV') ? Math.sqrt(squares / divisor) : squares / divisor;
  });
}
