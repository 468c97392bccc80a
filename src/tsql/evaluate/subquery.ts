import { SqlError, sqlError } from '../../base/messages/sql-error.ts';
import type { ComparisonOperator } from '../../syntax/ast/expression.ts';
import { keySteps } from '../../values/key.ts';
import { comparisonType } from '../../values/precedence.ts';
import type { Plan, PlanColumn } from '../query/plan.ts';
import { addKey, gathered, keyInTurns } from '../query/run.ts';
import { coerce } from './coerce.ts';
import { compareTest } from './comparison.ts';
import { type Compiled, type Env, reused, type Test } from './compiled.ts';
import type { Context } from './context.ts';
import { madeInSteps } from './long-work.ts';

/**
 * A part of an expression that is computed before the expression is evaluated. Its answer is kept for the last row or,
 * if it depends on no row, for the whole statement. An error is kept too and thrown where the answer is read: a CASE
 * branch that is not taken does not fail.
 */
function foundBefore<T>(correlated: boolean, find: (env: Env) => Promise<T>, context: Context): (env: Env) => T {
  let found: ({ readonly env: Env } & ({ readonly value: T } | { readonly error: SqlError })) | undefined;
  const isThere = (env: Env): boolean => found !== undefined && (!correlated || found.env === env);
  const ask = async (env: Env): Promise<void> => {
    try {
      found = { env, value: await find(env) };
    } catch (error) {
      if (!(error instanceof SqlError)) throw error;
      found = { env, error };
    }
  };
  context.await({ isQuery: true, answer: (env) => (isThere(env) ? undefined : ask(env)) });
  return (env) => {
    if (found === undefined || !isThere(env)) throw new Error('a subquery was read before it was answered');
    if ('error' in found) throw found.error;
    return found.value;
  };
}

/** The only column of a subquery: 116 when there are more. */
function onlyColumn({ columns: [column, ...more] }: Plan): PlanColumn {
  if (column === undefined || more.length > 0) throw sqlError(116);
  return column;
}

/** A query as a value: NULL without a row, 512 with more than one. */
export function scalarSubquery(plan: Plan, context: Context): Compiled {
  const column = onlyColumn(plan);
  const find = async (env: Env): Promise<unknown> => {
    let only: readonly unknown[] | undefined;
    for await (const batch of plan.rows(env, 2)) {
      if (batch.length > 1 || (batch.length > 0 && only !== undefined)) throw sqlError(512);
      only ??= batch[0];
    }
    return only?.[0] ?? null;
  };
  const evaluate = foundBefore(plan.correlated, find, context);
  return { type: column.type, nullable: true, evaluate, ...(column.isJson ? { isJson: true } : {}) };
}

export function existsTest(plan: Plan, context: Context): Test {
  const find = async (env: Env): Promise<boolean> => {
    for await (const batch of plan.rows(env, 1)) if (batch.length > 0) return true;
    return false;
  };
  return foundBefore(plan.correlated, find, context);
}

/** IN, ALL and ANY over a query: the answer is unknown if only NULLs prevent a definite one. */
export function quantifiedTest(
  operator: ComparisonOperator,
  all: boolean,
  left: Compiled,
  plan: Plan,
  context: Context,
): Test {
  const column = onlyColumn(plan);
  const type = comparisonType(left.type, column.type, operator);
  const isLookUp = operator === '=' && !all && !plan.correlated && !left.bare && type.name !== 'sql_variant';
  return isLookUp
    ? lookUpTest({ ...coerce(left, type, context), type }, plan, context)
    : eachTest(operator, all, left, plan, context);
}

/** IN over a query that depends on no row: its values are looked up in a set. */
function lookUpTest(searched: Compiled, plan: Plan, context: Context): Test {
  const { value: left, once } = reused(searched);
  const { type } = left;
  let given: unknown;
  const item = { ...coerce({ ...onlyColumn(plan), evaluate: () => given }, type, context), type };
  const find = async (env: Env) => {
    const keys = new Set<string>();
    let hasNull = false;
    for await (const batch of plan.rows(env)) {
      for (const [value] of batch) {
        given = value;
        const converted = item.evaluate(env);
        const made = keyInTurns([[converted, type]], context.run.turn);
        const key = typeof made === 'string' ? made : await made;
        if (context.run.turn.isOver) await context.run.turn.giveWay();
        if (converted === null) hasNull = true;
        else addKey(keys, key, context.run.memory);
      }
    }
    return { keys, hasNull };
  };
  const values = foundBefore(false, find, context);
  const keyOfLeft = madeInSteps([left], context, (given) => keySteps([[given[0], type]]));
  return once((env) => {
    const { keys, hasNull } = values(env);
    const wanted = left.evaluate(env);
    if (keys.size === 0 && !hasNull) return false;
    if (wanted === null) return null;
    return keys.has(keyOfLeft(env)) || (hasNull ? null : false);
  });
}

function eachTest(operator: ComparisonOperator, all: boolean, left: Compiled, plan: Plan, context: Context): Test {
  const { turn, memory } = context.run;
  let one: unknown = null;
  let other: unknown = null;
  const item: Compiled = { type: onlyColumn(plan).type, nullable: true, evaluate: () => other };
  const test = compareTest(operator, { ...left, evaluate: () => one }, item, context);
  let kept: readonly (readonly unknown[])[] | undefined;
  const find = async (env: Env): Promise<boolean | null> => {
    one = left.evaluate(env);
    let unknown = false;
    if (!plan.correlated) kept ??= await gathered(plan.rows(env), memory, turn);
    for await (const batch of kept === undefined ? plan.rows(env) : [kept]) {
      for (const [value] of batch) {
        other = value;
        const result = test(env);
        if (result === !all) return !all;
        unknown ||= result === null;
        if (turn.isOver) await turn.giveWay();
      }
    }
    return unknown ? null : all;
  };
  return foundBefore(true, find, context);
}
