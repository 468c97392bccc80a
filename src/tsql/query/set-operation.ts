import type { MemoryBudget } from '../../base/memory-budget.ts';
import { sqlError } from '../../base/sql-error.ts';
import type { SetOperator } from '../../syntax/ast/query.ts';
import { convert } from '../../tds/convert/convert.ts';
import type { DateOrder } from '../../tds/convert/parse-date.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { keyOf } from '../../values/key.ts';
import { commonType } from '../../values/precedence.ts';
import type { Env } from '../evaluate/compiled.ts';
import type { Context } from '../evaluate/context.ts';
import { type Batches, changed, eachOf } from './batches.ts';
import type { Plan, PlanColumn } from './plan.ts';
import { hold, type Run, sizeOf } from './run.ts';

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
  const a = (env: Env) => converted(left, columns, env, dateFormat);
  const b = (env: Env) => converted(right, columns, env, dateFormat);
  const rows: Record<SetOperator, (env: Env) => Batches<Row>> = {
    'union all': (env) => chain(a(env), b(env)),
    union: (env) => distinct(chain(a(env), b(env)), types, run),
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
export function converted(plan: Plan, columns: readonly PlanColumn[], env: Env, dateOrder: DateOrder): Batches<Row> {
  const same = plan.columns.every((column, at) => column.type.declaration === columns[at]?.type.declaration);
  if (same) return plan.rows(env);
  const options = { implicit: true, expression: true, dateOrder };
  return changed(plan.rows(env), (row) =>
    row.map((value, at) => {
      const [from, to] = [plan.columns[at]?.type, columns[at]?.type];
      return from === undefined || to === undefined ? value : convert(value, from, to, options);
    }),
  );
}

async function* chain(a: Batches<Row>, b: Batches<Row>): AsyncGenerator<readonly Row[]> {
  yield* a;
  yield* b;
}

const rowKey = (row: Row, types: readonly AnyType[]): string => keyOf(row.map((value, at) => [value, types[at]]));

/** Tells rows that were not seen before from those that were. */
export function newcomers(types: readonly AnyType[], held: MemoryBudget): (row: Row) => boolean {
  const seen = new Set<string>();
  return (row) => {
    const key = rowKey(row, types);
    if (seen.has(key)) return false;
    held.grow(sizeOf(key));
    seen.add(key);
    return true;
  };
}

async function* distinct(rows: Batches<Row>, types: readonly AnyType[], run: Run): AsyncGenerator<readonly Row[]> {
  using held = hold(run);
  const isNew = newcomers(types, held);
  for await (const batch of rows) yield batch.filter(isNew);
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
  const keep = (row: Row): void => {
    const key = rowKey(row, types);
    if (others.has(key)) return;
    held.grow(sizeOf(key));
    others.add(key);
  };
  await eachOf(b, keep, run.turn);
  const isNew = newcomers(types, held);
  for await (const batch of a) yield batch.filter((row) => others.has(rowKey(row, types)) === wanted && isNew(row));
}
