import { sqlError } from '../../base/messages/sql-error.ts';
import type { Turn } from '../../base/threads/turn.ts';
import type { QueryBody } from '../../syntax/ast/query.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import type { Context } from '../evaluate/context.ts';
import { type Batches, passedOn, rested } from './batches.ts';
import type { Plan } from './plan.ts';
import { addKey, hold, keyInTurns, type Run } from './run.ts';
import { unified } from './unified.ts';

type Row = readonly unknown[];

/** Combines queries with the same number of columns from left to right; the first names them. */
export function compileSet(
  { first, rest }: QueryBody & { kind: 'set' },
  compile: (body: QueryBody) => Plan,
  context: Context,
): Plan {
  let united = [compile(first)];
  /**
   * The number of leading queries whose rows are made distinct together: UNION keeps each row of all before it, and of
   * its own, once.
   */
  let distinct = 0;
  for (const { operator, body } of rest) {
    const plan = compile(body);
    if (plan.columns.length !== united[0]?.columns.length) throw sqlError(205);
    if (operator === 'union' || operator === 'union all') {
      united.push(plan);
      if (operator === 'union') distinct = united.length;
    } else {
      united = [comparison(operator, union(united, distinct, context), plan, context)];
      distinct = 0;
    }
  }
  return union(united, distinct, context);
}

/** UNION ALL of queries, of which the first ones are a set. */
function union(plans: readonly Plan[], distinct: number, context: Context): Plan {
  if (distinct === 0) return concatenation(plans, context);
  const all = concatenation(plans.slice(0, distinct), context);
  const types = all.columns.map(({ type }) => type);
  const once: Plan = {
    ...all,
    rows: (env) => newcomers(all.rows(env), (row) => row, types, context.run),
    explain: () => explained('UNION', plans.slice(0, distinct)),
  };
  return concatenation([once, ...plans.slice(distinct)], context);
}

/** EXCEPT or INTERSECT. */
function comparison(operator: 'except' | 'intersect', left: Plan, right: Plan, context: Context): Plan {
  const { rows, columns } = unified([left, right], context);
  const types = columns.map(({ type }) => type);
  return {
    columns,
    correlated: left.correlated || right.correlated,
    rows: (env) => compared(rested(rows(0, env)), rows(1, env), types, operator === 'intersect', context.run),
    explain: () => explained(operator.toUpperCase(), [left, right]),
  };
}

/** The rows of queries, one query after the other. */
function concatenation(plans: readonly Plan[], context: Context): Plan {
  const [only] = plans;
  if (only !== undefined && plans.length === 1) return only;
  const { rows, columns } = unified(plans, context);
  return {
    columns,
    correlated: plans.some(({ correlated }) => correlated),
    async *rows(env) {
      const { turn } = context.run;
      for (let at = 0; at < plans.length; at++) {
        yield* rows(at, env);
        if (turn.isOver) await turn.giveWay();
      }
    },
    explain: () => explained('UNION ALL', plans),
  };
}

async function explained(operation: string, plans: readonly Plan[]): Promise<readonly string[]> {
  const lines = [`|--${operation}`];
  for (const plan of plans) lines.push(...((await plan.explain?.()) ?? []).map((line) => `     ${line}`));
  return lines;
}

const rowKey = (row: Row, types: readonly AnyType[], turn: Turn): string | Promise<string> =>
  keyInTurns(
    row.map((value, at) => [value, types[at]]),
    turn,
  );

/** Passes on what has a row that was not there before. */
export async function* newcomers<T>(
  all: Batches<T>,
  rowOf: (each: T) => Row,
  types: readonly AnyType[],
  run: Run,
): AsyncGenerator<readonly T[]> {
  using held = hold(run);
  const seen = new Set<string>();
  const look = (each: T): readonly T[] | Promise<readonly T[]> => {
    const key = rowKey(rowOf(each), types, run.turn);
    if (typeof key === 'string') return addKey(seen, key, held) ? [each] : [];
    return key.then((found) => (addKey(seen, found, held) ? [each] : []));
  };
  yield* passedOn(all, look, run.turn);
}

async function* compared(
  a: Batches<Row>,
  b: Batches<Row>,
  types: readonly AnyType[],
  wanted: boolean,
  run: Run,
): AsyncGenerator<readonly Row[]> {
  using held = hold(run);
  const others = new Set<string>();
  for await (const batch of b) {
    for (const row of batch) {
      addKey(others, await rowKey(row, types, run.turn), held);
      if (run.turn.isOver) await run.turn.giveWay();
    }
  }
  const seen = new Set<string>();
  const look = async (row: Row): Promise<readonly Row[]> => {
    const key = await rowKey(row, types, run.turn);
    return others.has(key) === wanted && addKey(seen, key, held) ? [row] : [];
  };
  yield* passedOn(a, look, run.turn);
}
