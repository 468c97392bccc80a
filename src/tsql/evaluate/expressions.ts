import { sqlError } from '../../base/messages/sql-error.ts';
import type { Case, Cast, Expression, FunctionCall } from '../../syntax/ast/expression.ts';
import { int } from '../../tds/types/index.ts';
import { collatedType } from '../../values/collated-type.ts';
import { aggregateNames } from '../functions/aggregate-names.ts';
import { functions } from '../functions/functions.ts';
import { globals } from '../functions/globals.ts';
import { cast, coerce, commonOf } from './coerce.ts';
import { compareTest } from './comparison.ts';
import { type Compiled, constant, type Env, noRows, reused, type Test } from './compiled.ts';
import type { Context, Scope } from './context.ts';
import { binary, unary } from './operators.ts';
import { scalarSubquery } from './subquery.ts';

/** Compiles an expression for rows of a scope. */
export function compileExpression(expression: Expression, scope: Scope, context: Context): Compiled {
  const whole = scope.whole?.(expression, context);
  if (whole !== undefined) return whole;
  const value = (inner: Expression) => context.expression(inner, scope);
  switch (expression.kind) {
    case 'literal':
      return literal(expression);
    case 'variable': {
      const cell = context.variable(expression.name);
      const { type, deduce } = cell.variable;
      if (deduce !== undefined) return { ...constant(int, null), bare: true, deduce };
      return { type, nullable: true, evaluate: () => cell.variable.value };
    }
    case 'global':
      return globalVariable(expression.name, context);
    case 'column':
      return scope.column(expression.parts);
    case 'unary':
      return unary(expression.operator, value(expression.operand), context);
    case 'binary':
      return binary(expression.operator, value(expression.left), value(expression.right), context);
    case 'cast':
      return castExpression(expression, scope, context);
    case 'case':
      return caseExpression(expression, scope, context);
    case 'call':
      return call(expression, scope, context);
    case 'collate': {
      const operand = value(expression.operand);
      return { ...operand, type: collatedType(operand.type, expression.collation, true) };
    }
    case 'subquery':
      return scalarSubquery(context.query(expression.query, scope), context);
  }
}

function literal({ type, value, bare }: Expression & { kind: 'literal' }): Compiled {
  if (bare) return { ...constant(type, null), bare };
  return typeof value === 'number' && type.name === 'int'
    ? { ...constant(type, value), digits: String(Math.abs(value)).length }
    : constant(type, value);
}

function globalVariable(name: string, context: Context): Compiled {
  const found = globals[name];
  if (found === undefined) throw sqlError(137, name.toLowerCase());
  return { type: found.type, nullable: true, evaluate: () => found.value(context.frame, context.known) };
}

function castExpression({ operand, type, style, attempt }: Cast, scope: Scope, context: Context): Compiled {
  const value = context.expression(operand, scope);
  if (style === undefined) return withoutName(cast(value, type, context, attempt));
  const number = coerce(context.expression(style, scope), int, context);
  if (style.kind === 'literal' && !style.bare)
    return withoutName(cast(value, type, context, attempt, Number(number.evaluate(noRows))));
  const styled = new Map<unknown, Compiled>();
  return {
    ...withoutName(cast(value, type, context, attempt, 0)),
    nullable: true,
    evaluate(env) {
      const found = number.evaluate(env);
      const known = styled.get(found);
      if (known !== undefined) return known.evaluate(env);
      const compiled = found === null ? constant(type, null) : cast(value, type, context, attempt, Number(found));
      styled.set(found, compiled);
      return compiled.evaluate(env);
    },
  };
}

function withoutName({ name: _, ...rest }: Compiled): Compiled {
  return rest;
}

function caseExpression(expression: Case, scope: Scope, context: Context): Compiled {
  const input = expression.input === undefined ? undefined : reused(context.expression(expression.input, scope));
  const branches = expression.branches.map(({ when, result }) => ({
    test: branchTest(when, input?.value, scope, context),
    result: context.expression(result, scope),
  }));
  const otherwise = expression.otherwise === undefined ? undefined : context.expression(expression.otherwise, scope);
  const results = [...branches.map(({ result }) => result), ...(otherwise === undefined ? [] : [otherwise])];
  const type = commonOf(results);
  if (type === undefined) throw sqlError(8133);
  const arms = branches.map(({ test, result }) => ({ test, result: coerce(result, type, context) }));
  const fallback = otherwise === undefined ? constant(type, null) : coerce(otherwise, type, context);
  const choose = (env: Env): Compiled => arms.find(({ test }) => test(env) === true)?.result ?? fallback;
  const chosen = input === undefined ? choose : input.once(choose);
  return {
    type,
    nullable: otherwise === undefined || results.some(({ nullable }) => nullable),
    evaluate: (env) => chosen(env).evaluate(env),
  };
}

function branchTest(
  when: Case['branches'][number]['when'],
  input: Compiled | undefined,
  scope: Scope,
  context: Context,
): Test {
  // The parser gives a simple CASE expressions and a searched one conditions.
  if (input !== undefined) return compareTest('=', input, context.expression(when as Expression, scope), context);
  return context.condition(when as Parameters<Context['condition']>[0], scope);
}

function call(expression: FunctionCall, scope: Scope, context: Context): Compiled {
  // A scope that may have windows has taken this call before.
  if (expression.over !== undefined) throw sqlError(4108);
  if (aggregateNames.has(expression.name)) throw sqlError(147);
  const spec = Object.hasOwn(functions, expression.name) ? functions[expression.name] : undefined;
  if (spec === undefined) throw sqlError(195, expression.name.toLowerCase(), 'built-in function name');
  const { length } = expression.args;
  if (length < spec.min || length > spec.max) {
    const name = expression.name.toLowerCase();
    throw spec.min === spec.max || spec.max > 250
      ? sqlError(174, name, spec.min)
      : sqlError(189, name, spec.min, spec.max);
  }
  const valued = spec.datePart ? expression.args.slice(1) : expression.args;
  const compiled = spec.compile(
    valued.map((arg) => context.expression(arg, scope)),
    context,
    expression,
  );
  return withoutName(compiled);
}
