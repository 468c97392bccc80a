import { sqlError } from '../../base/sql-error.ts';
import { withoutPauses } from '../query/pause.ts';
import type { Plan } from '../query/plan.ts';
import type { Compiled, Env } from './compiled.ts';

/** Runs a subquery once when it does not depend on the row around it. */
export function cached<T>(plan: Plan, run: (env: Env) => T): (env: Env) => T {
  if (plan.correlated) return run;
  let result: { readonly value: T } | undefined;
  return (env) => {
    result ??= { value: run(env) };
    return result.value;
  };
}

/** A query as a value: NULL without a row, 512 with more than one. */
export function scalarSubquery(plan: Plan): Compiled {
  const [column] = plan.columns;
  if (column === undefined || plan.columns.length > 1) throw sqlError(116);
  const only = cached(plan, (env) => {
    let value: unknown = null;
    let count = 0;
    for (const row of withoutPauses(plan.rows(env))) {
      if (++count > 1) throw sqlError(512);
      value = row[0];
    }
    return value;
  });
  return { type: column.type, nullable: true, evaluate: only };
}
