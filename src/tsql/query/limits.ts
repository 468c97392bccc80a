import { sqlError } from '../../base/sql-error.ts';
import type { Expression } from '../../syntax/ast/expression.ts';
import type { Query, Top } from '../../syntax/ast/query.ts';
import { bigint, float } from '../../tds/types/index.ts';
import { coerce } from '../evaluate/coerce.ts';
import type { Compiled, Env } from '../evaluate/compiled.ts';
import type { Context } from '../evaluate/context.ts';
import { answered, type Prepared } from '../evaluate/prepared.ts';
import { emptyScope } from './scope.ts';

/** How many rows of a query are wanted. */
export interface Limits {
  readonly ties: boolean;
  /** True when they are numbers, the same at every run. */
  readonly isFixed: boolean;
  /** What TOP, OFFSET and FETCH come to; 1060 for what is no number of rows. */
  of(env: Env): Promise<Wanted>;
}

/** What TOP, OFFSET and FETCH come to. */
export interface Wanted {
  /** TOP n or FETCH n; undefined for all. */
  readonly count: number | undefined;
  /** TOP n PERCENT. */
  readonly percent: number | undefined;
  readonly skip: number;
}

/** Compiles TOP, OFFSET and FETCH. */
export function compileLimits(top: Top | undefined, query: Pick<Query, 'offset' | 'fetch'>, context: Context): Limits {
  const number = (expression: Expression | undefined, percent = false): Prepared<Compiled> | undefined =>
    expression &&
    context.prepared(() => coerce(context.expression(expression, emptyScope), percent ? float : bigint, context));
  const wanted = number(top?.count ?? query.fetch, top?.percent);
  const skipped = number(query.offset);
  const said = [top?.count, query.fetch, query.offset];
  return {
    ties: top?.ties ?? false,
    isFixed: said.every((each) => each === undefined || each.kind === 'literal'),
    async of(env) {
      const amount = await read(wanted, env);
      const skip = (await read(skipped, env)) ?? 0;
      return top?.percent ? { count: undefined, percent: amount, skip } : { count: amount, percent: undefined, skip };
    },
  };
}

async function read(prepared: Prepared<Compiled> | undefined, env: Env): Promise<number | undefined> {
  if (prepared === undefined) return undefined;
  await answered(prepared.pending, env);
  const value = prepared.compiled.evaluate(env);
  if (value === null || Number(value) < 0) throw sqlError(1060);
  return Number(value);
}
