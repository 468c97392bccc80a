import type { Condition } from '../../syntax/ast/expression.ts';
import { familyOf } from '../../tds/convert/families.ts';
import { nvarchar } from '../../tds/types/index.ts';
import { likeSteps, refuseLongPattern } from '../../values/like.ts';
import { commonCollation } from '../../values/precedence.ts';
import { coerce } from './coerce.ts';
import { compareTest, isNullTest, nullsAlike } from './comparison.ts';
import type { Compiled, Test } from './compiled.ts';
import type { Context, Scope } from './context.ts';
import { madeInSteps } from './long-work.ts';
import { existsTest, quantifiedTest } from './subquery.ts';

/** Compiles a condition; unknown is null, as three-valued logic has it. */
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
    case 'in': {
      const operand = value(condition.operand);
      const tests = condition.list.map((item) => compareTest('=', operand, value(item), context));
      return decidedBy(true, tests);
    }
    case 'between': {
      const operand = value(condition.operand);
      const low = compareTest('>=', operand, value(condition.low), context);
      return decidedBy(false, [low, compareTest('<=', operand, value(condition.high), context)]);
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

/** Tests of which one that gives `decisive` decides, AND and OR; those of IN may be many. */
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
