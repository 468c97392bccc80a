import { sqlError } from '../../base/sql-error.ts';
import { type Pause, pause, unfinished } from '../query/pause.ts';
import type { Plan } from '../query/plan.ts';
import type { Compiled, Env } from './compiled.ts';

/**
 * A part of an expression that may run for long. It works in turns: `unfinished` is thrown at each pause, and who asks
 * again for the same row gets the value once it is there. What does not depend on the row is found once.
 */
export function stepwise<T>(correlated: boolean, run: (env: Env) => Generator<Pause, T>): (env: Env) => T {
  let current: { readonly env: Env; readonly work: Generator<Pause, T>; found?: { readonly value: T } } | undefined;
  return (env) => {
    if (current === undefined || (correlated && current.env !== env)) current = { env, work: run(env) };
    if (current.found === undefined) {
      const step = nextStep(current.work, () => {
        current = undefined;
      });
      if (!step.done) throw unfinished;
      current.found = { value: step.value };
    }
    return current.found.value;
  };
}

/** A generator that threw has ended; whoever asks again must begin anew. */
function nextStep<T>(work: Generator<Pause, T>, forget: () => void): IteratorResult<Pause, T> {
  try {
    return work.next();
  } catch (error) {
    forget();
    throw error;
  }
}

/** A query as a value: NULL without a row, 512 with more than one. */
export function scalarSubquery(plan: Plan): Compiled {
  const [column] = plan.columns;
  if (column === undefined || plan.columns.length > 1) throw sqlError(116);
  const only = stepwise(plan.correlated, function* (env) {
    let value: unknown = null;
    let count = 0;
    for (const row of plan.rows(env)) {
      if (row === pause) {
        yield pause;
        continue;
      }
      if (++count > 1) throw sqlError(512);
      value = row[0];
    }
    return value;
  });
  return { type: column.type, nullable: true, evaluate: only, ...(column.isJson ? { isJson: true } : {}) };
}
