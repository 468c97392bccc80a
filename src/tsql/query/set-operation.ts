import { sqlError } from '../../base/sql-error.ts';
import { convert } from '../../tds/convert/convert.ts';
import type { DateOrder } from '../../tds/convert/parse-date.ts';
import type { SetOperator } from '../ast/query.ts';
import type { Env } from '../evaluate/compiled.ts';
import { keyOf } from '../values/key.ts';
import { commonType } from '../values/precedence.ts';
import { type Pause, pause } from './pause.ts';
import type { Plan, PlanColumn } from './plan.ts';

type Row = readonly unknown[];

/** UNION, EXCEPT or INTERSECT of two queries with the same number of columns; the first names them. */
export function setOperation(operator: SetOperator, left: Plan, right: Plan, dateOrder: DateOrder): Plan {
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
  const a = (env: Env) => converted(left, columns, env, dateOrder);
  const b = (env: Env) => converted(right, columns, env, dateOrder);
  const key = (row: Row) => keyOf(row.map((value, at) => [value, columns[at]?.type]));
  const rows: Record<SetOperator, (env: Env) => Iterable<Row | Pause>> = {
    'union all': (env) => chain(a(env), b(env)),
    union: (env) => distinct(chain(a(env), b(env)), key),
    except: (env) => compared(a(env), b(env), key, false),
    intersect: (env) => compared(a(env), b(env), key, true),
  };
  return { columns, correlated: left.correlated || right.correlated, rows: rows[operator] };
}

/** The rows of a plan in other types. */
export function* converted(
  plan: Plan,
  columns: readonly PlanColumn[],
  env: Env,
  dateOrder: DateOrder,
): Generator<Row | Pause> {
  const same = plan.columns.every((column, at) => column.type.declaration === columns[at]?.type.declaration);
  for (const row of plan.rows(env)) {
    yield same || row === pause
      ? row
      : row.map((value, at) => {
          const [from, to] = [plan.columns[at]?.type, columns[at]?.type];
          return from === undefined || to === undefined
            ? value
            : convert(value, from, to, { implicit: true, expression: true, dateOrder });
        });
  }
}

function* chain(a: Iterable<Row | Pause>, b: Iterable<Row | Pause>): Generator<Row | Pause> {
  yield* a;
  yield* b;
}

function* distinct(rows: Iterable<Row | Pause>, key: (row: Row) => string): Generator<Row | Pause> {
  const seen = new Set<string>();
  for (const row of rows) {
    if (row === pause) {
      yield pause;
      continue;
    }
    const text = key(row);
    if (seen.has(text)) continue;
    seen.add(text);
    yield row;
  }
}

function* compared(
  a: Iterable<Row | Pause>,
  b: Iterable<Row | Pause>,
  key: (row: Row) => string,
  wanted: boolean,
): Generator<Row | Pause> {
  const others = new Set<string>();
  for (const row of b) {
    if (row === pause) yield pause;
    else others.add(key(row));
  }
  for (const row of distinct(a, key)) if (row === pause || others.has(key(row)) === wanted) yield row;
}
