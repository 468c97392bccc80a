import type { Condition, Expression } from '../../syntax/ast/expression.ts';
import { familyOf, isOldLob } from '../../tds/convert/families.ts';
import { nvarchar } from '../../tds/types/index.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { keyOf, keySteps } from '../../values/key.ts';
import { likeSteps, refuseLongPattern } from '../../values/like.ts';
import { commonCollation } from '../../values/precedence.ts';
import { coerce } from './coerce.ts';
import { compareTest, isNullTest, nullsAlike } from './comparison.ts';
import { type Compiled, reused, type Test } from './compiled.ts';
import type { Context, Scope } from './context.ts';
import { madeInSteps } from './long-work.ts';
import { existsTest, quantifiedTest } from './subquery.ts';

/** Compiles a condition; unknown is null, as in three-valued logic. */
export function compileCondition(condition: Condition, scope: Scope, context: Context): Test {
  const value = (expression: Parameters<Context['expression']>[0]) => context.expression(expression, scope);
  const test = (inner: Condition) => context.condition(inner, scope);
  switch (condition.kind) {
    case 'comparison':
      return isNullTest(condition, context)
        ? nullsAlike(condition.operator, value(condition.left), value(condition.right), context)
        : compareTest(condition.operator, value(condition.left), value(condition.right), context);
    case 'and':
      return decidedBy(false, [test(condition.left), test(condition.right)]);
    case 'or':
      return decidedBy(true, [test(condition.left), test(condition.right)]);
    case 'not':
      return negated(test(condition.operand));
    case 'isNull': {
      const operand = value(condition.operand);
      return (env) => operand.evaluate(env) === null;
    }
    case 'in':
      return inTest(value(condition.operand), condition.list, scope, context);
    case 'between': {
      const { value: operand, once } = reused(value(condition.operand));
      const low = compareTest('>=', operand, value(condition.low), context);
      return once(decidedBy(false, [low, compareTest('<=', operand, value(condition.high), context)]));
    }
    case 'like':
      return likeTest(condition, scope, context);
    case 'exists':
      return existsTest(context.query(condition.query, scope), context);
    case 'inQuery':
      return quantifiedTest('=', false, value(condition.operand), context.query(condition.query, scope), context);
    case 'quantified':
      return quantifiedTest(
        condition.operator,
        condition.all,
        value(condition.left),
        context.query(condition.query, scope),
        context,
      );
  }
}

/** AND and OR: tests of which the first that yields `decisive` decides; those of IN may be many. */
const decidedBy =
  (decisive: boolean, tests: readonly Test[]): Test =>
  (env) => {
    let unknown = false;
    for (const test of tests) {
      const result = test(env);
      if (result === decisive) return decisive;
      unknown ||= result === null;
    }
    return unknown ? null : !decisive;
  };

/** The compilation cost of each value of IN that is compared separately. */
const effortOfComparison = 8;

/**
 * IN with a list: constants of the operand's own kind are looked up by key, so that many of them cost the statement and
 * its rows no more than a few.
 */
function inTest(searched: Compiled, list: readonly Expression[], scope: Scope, context: Context): Test {
  const { value: operand, once } = reused(searched);
  const { type } = operand;
  const keys = new Set<string>();
  const tests: Test[] = [];
  for (const item of list) {
    if (item.kind === 'literal' && isAlike(item.type, type) && item.value !== null) {
      context.spend(1);
      keys.add(keyOf([[item.value, type]]));
    } else {
      context.spend(effortOfComparison);
      tests.push(compareTest('=', operand, context.expression(item, scope), context));
    }
  }
  if (keys.size === 0) return once(decidedBy(true, tests));
  const isListed = madeInSteps([operand], context, function* ([value]) {
    return value === null ? null : keys.has(yield* keySteps([[value, type]]));
  });
  return once(decidedBy(true, [isListed, ...tests]));
}

/** True for types whose values are equal when their keys are. */
function isAlike({ name: a }: AnyType, { name: b }: AnyType): boolean {
  const families = [familyOf(a), familyOf(b)];
  if (families.every((family) => family === 'integer' || family === 'decimal')) return true;
  return families.every((family) => family === 'text') && !isOldLob(a) && !isOldLob(b);
}

const negated =
  (test: Test): Test =>
  (env) => {
    const result = test(env);
    return result === null ? null : !result;
  };

function likeTest(condition: Condition & { kind: 'like' }, scope: Scope, context: Context): Test {
  const text = asText(context.expression(condition.operand, scope), context);
  const pattern = asText(context.expression(condition.pattern, scope), context);
  const caseSensitive = commonCollation(text.type, pattern.type)?.caseSensitive ?? false;
  const escapeWith = condition.escape === undefined ? [] : [context.expression(condition.escape, scope)];
  return madeInSteps([text, pattern, ...escapeWith], context, function* ([x, y, z = '']) {
    if (x === null || y === null || z === null) return null;
    refuseLongPattern(String(y), pattern.type);
    return yield* likeSteps(String(x), String(y), { escapeWith: String(z), caseSensitive });
  });
}

const asText = (compiled: Compiled, context: Context): Compiled =>
  familyOf(compiled.type.name) === 'text' ? compiled : coerce(compiled, nvarchar('max'), context);
