import { sqlError } from '../../base/sql-error.ts';
import { bigint, float } from '../../tds/types/index.ts';
import type { Expression } from '../ast/expression.ts';
import type { Query, Top } from '../ast/query.ts';
import { coerce } from '../evaluate/coerce.ts';
import type { Compiled, Env } from '../evaluate/compiled.ts';
import type { Context } from '../evaluate/context.ts';
import { emptyScope } from './scope.ts';

/** How many rows of a query are wanted. */
export interface Limits {
  /** TOP n or FETCH n; undefined for all. */
  count(env: Env): number | undefined;
  /** TOP n PERCENT. */
  percent(env: Env): number | undefined;
  skip(env: Env): number;
  readonly ties: boolean;
  readonly isPercent: boolean;
}

/** Compiles TOP, OFFSET and FETCH. */
export function compileLimits(top: Top | undefined, query: Pick<Query, 'offset' | 'fetch'>, context: Context): Limits {
  const number = (expression: Expression | undefined, percent = false): Compiled | undefined =>
    expression === undefined
      ? undefined
      : coerce(context.expression(expression, emptyScope), percent ? float : bigint, context);
  const wanted = number(top?.count ?? query.fetch, top?.percent);
  const skipped = number(query.offset);
  const read = (compiled: Compiled | undefined, env: Env): number | undefined => {
    const value = compiled?.evaluate(env);
    if (value === undefined) return undefined;
    if (value === null || Number(value) < 0) throw sqlError(1060);
    return Number(value);
  };
  return {
    count: (env) => (top?.percent ? undefined : read(wanted, env)),
    percent: (env) => (top?.percent ? read(wanted, env) : undefined),
    skip: (env) => read(skipped, env) ?? 0,
    ties: top?.ties ?? false,
    isPercent: top?.percent ?? false,
  };
}
