import { sqlError } from '../../base/messages/sql-error.ts';
import type { Expression } from '../../syntax/ast/expression.ts';
import type { Query, Top } from '../../syntax/ast/query.ts';
import { bigint, float } from '../../tds/types/index.ts';
import { coerce } from '../evaluate/coerce.ts';
import type { Compiled, Env } from '../evaluate/compiled.ts';
import type { Context } from '../evaluate/context.ts';
import { answered, type Prepared } from '../evaluate/prepared.ts';
import { type Batches, inBatches } from './batches.ts';
import { hold, type Run, sizeOf } from './run.ts';
import { emptyScope } from './scope.ts';
import { byKeys, comparedInTurns, inOrder, type SortKey } from './sort.ts';

/** The row limits of a query. */
export interface Limits {
  readonly ties: boolean;
  /** True if they are numbers, the same at every run. */
  readonly isFixed: boolean;
  /** The values of TOP, OFFSET and FETCH; 1060 if one is not a number of rows. */
  of(env: Env): Promise<Wanted>;
}

/** The values of TOP, OFFSET and FETCH. */
interface Wanted {
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

/** A row with the values it is sorted by. */
interface Keyed {
  readonly keys: readonly unknown[];
}

/** A row of FROM, or a group, with the values it is sorted by. */
export interface KeyedEnv extends Keyed {
  readonly env: Env;
}

/** The number of rows beyond the limit that are held before the last ones are dropped. */
const spare = 4096;

/** ORDER BY with its limits. If there is a limit, hardly more rows than that are held. */
export async function* sortedAndLimited<T extends Keyed>(
  rows: Batches<T>,
  keys: readonly SortKey[],
  wanted: Wanted & Pick<Limits, 'ties'>,
  size: (row: T) => number,
  run: Run,
): AsyncGenerator<readonly T[]> {
  const { count, percent, skip, ties } = wanted;
  const { turn } = run;
  using held = hold(run);
  const order = byKeys<T>(keys);
  const most = count === undefined || ties ? Number.POSITIVE_INFINITY : skip + count;
  const heldSize = (row: T): number => size(row) + sizeOf(row.keys);
  let found: T[] = [];
  /** The last row within the limit among those seen so far: rows after it are dropped. */
  let last: T | undefined;
  for await (const all of rows) {
    for (const row of all) {
      if (last !== undefined) {
        const compared = comparedInTurns(row, last, order, turn);
        if ((typeof compared === 'number' ? compared : await compared) >= 0) continue;
      }
      held.grow(heldSize(row));
      found.push(row);
    }
    if (found.length > 2 * most + spare) {
      found = (await inOrder(found, order, turn)).slice(0, most);
      last = found.at(-1);
      held.shrink(held.used);
      held.grow(found.reduce((sum, row) => sum + heldSize(row), 0));
    }
  }
  const sorted = await inOrder(found, order, turn);
  const amount = percent === undefined ? count : Math.ceil((sorted.length * percent) / 100);
  let end = amount === undefined ? sorted.length : Math.min(sorted.length, skip + amount);
  const isTie = async (): Promise<boolean> => {
    const [last, next] = [sorted[end - 1], sorted[end]];
    return last !== undefined && next !== undefined && (await comparedInTurns(last, next, order, turn)) === 0;
  };
  while (ties && (await isTie())) end++;
  yield* inBatches(sorted.slice(skip, end));
}
