import type { Condition } from '../../syntax/ast/expression.ts';
import type { Env, Test } from '../evaluate/compiled.ts';
import type { Context, Scope } from '../evaluate/context.ts';
import type { Prepared } from '../evaluate/prepared.ts';
import { type Batches, evaluated, rested } from './batches.ts';
import type { Run } from './run.ts';

/** The conjuncts of a condition. */
export function conjuncts(condition: Condition | undefined): Condition[] {
  if (condition === undefined) return [];
  return condition.kind === 'and' ? [...conjuncts(condition.left), ...conjuncts(condition.right)] : [condition];
}

/** Conditions that a row has to pass one by one; those with subqueries come last, for rows that passed the others. */
export function compileTests(
  conditions: readonly Condition[],
  scope: Scope,
  context: Context,
): readonly Prepared<Test>[] {
  return inTurn(conditions.map((each) => context.prepared(() => context.condition(each, scope))));
}

/** Tests in evaluation order. */
export const inTurn = (tests: readonly Prepared<Test>[]): readonly Prepared<Test>[] => [
  ...tests.filter(({ pending }) => pending.length === 0),
  ...tests.filter(({ pending }) => pending.length > 0),
];

/** How many tests are chained on one stack. */
const testsInARow = 32;

const keepPassed = (passes: boolean | null, env: Env, kept: Env[]): void => {
  if (passes === true) kept.push(env);
};

/** The rows that pass all of some tests. */
export const passing = (rows: Batches<Env>, tests: readonly Prepared<Test>[], { turn }: Run): Batches<Env> =>
  tests.reduce((left, test, at) => {
    const before = at % testsInARow === testsInARow - 1 ? rested(left) : left;
    return evaluated(before, test, keepPassed, turn);
  }, rows);
