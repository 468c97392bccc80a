import { sqlError } from '../../base/sql-error.ts';
import type { Turn } from '../../base/turn.ts';
import type { SetOperator } from '../../syntax/ast/query.ts';
import { convert } from '../../tds/convert/convert.ts';
import type { DateOrder } from '../../tds/convert/parse-date.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { commonType } from '../../values/precedence.ts';
import type { Env } from '../evaluate/compiled.ts';
import type { Context } from '../evaluate/context.ts';
import { type Batches, rested } from './batches.ts';
import type { Plan, PlanColumn } from './plan.ts';
import { addKey, hold, keyInTurns, type Run } from './run.ts';

type Row = readonly unknown[];

/** UNION, EXCEPT or INTERSECT of two queries with the same number of columns; the first names them. */
export function setOperation(operator: SetOperator, left: Plan, right: Plan, { frame, run }: Context): Plan {
  if (left.columns.length !== right.columns.length) throw sqlError(205);
  const columns = left.columns.map((column, at): PlanColumn => {
    const other = right.columns[at] ?? column;
    return {
      name: column.name,
      type: column.bare ? other.type : other.bare ? column.type : commonType(column.type, other.type),
      nullable: column.nullable || other.nullable,
      ...(column.bare && other.bare ? { bare: true } : {}),
    };
  });
  const { dateFormat } = frame.host.options;
  const types = columns.map(({ type }) => type);
  const a = (env: Env) => rested(converted(left, columns, env, dateFormat, run.turn));
  const b = (env: Env) => converted(right, columns, env, dateFormat, run.turn);
  const rows: Record<SetOperator, (env: Env) => Batches<Row>> = {
    'union all': (env) => chain(a(env), b(env)),
    union: (env) => newcomers(chain(a(env), b(env)), (row) => row, types, run),
    except: (env) => compared(a(env), b(env), types, false, run),
    intersect: (env) => compared(a(env), b(env), types, true, run),
  };
  const explain = async () => [
    `|--${operator.toUpperCase()}`,
    ...[...((await left.explain?.()) ?? []), ...((await right.explain?.()) ?? [])].map((line) => `     ${line}`),
  ];
  return { columns, correlated: left.correlated || right.correlated, rows: rows[operator], explain };
}

/** The rows of a plan in other types. */
export function converted(
  plan: Plan,
  columns: readonly PlanColumn[],
  env: Env,
  dateOrder: DateOrder,
  turn: Turn,
): Batches<Row> {
  const same = plan.columns.every((column, at) => column.type.declaration === columns[at]?.type.declaration);
  if (same) return plan.rows(env);
  const options = { implicit: true, expression: true, dateOrder };
  const convertedRow = (row: Row): Row =>
    row.map((value, at) => {
      const [from, to] = [plan.columns[at]?.type, columns[at]?.type];
      return from === undefined || to === undefined ? value : convert(value, from, to, options);
    });
  return passedOn(plan.rows(env), (row) => [convertedRow(row)], turn);
}

/** Rows of which each is looked at, with a look at the clock after each: it may be long. */
async function* passedOn<T, U>(
  batches: Batches<T>,
  look: (row: T) => readonly U[] | Promise<readonly U[]>,
  turn: Turn,
): AsyncGenerator<readonly U[]> {
  for await (const batch of batches) {
    const kept: U[] = [];
    for (const row of batch) {
      const found = look(row);
      kept.push(...(found instanceof Promise ? await found : found));
      if (turn.isOver) await turn.giveWay();
    }
    if (kept.length > 0) yield kept;
  }
}

async function* chain(a: Batches<Row>, b: Batches<Row>): AsyncGenerator<readonly Row[]> {
  yield* a;
  yield* b;
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
