import { sqlError } from '../../base/sql-error.ts';
import { int } from '../../tds/types/index.ts';
import type { Query, QueryBody } from '../ast/query.ts';
import { coerce } from '../evaluate/coerce.ts';
import type { Compiled } from '../evaluate/compiled.ts';
import type { Context, Scope } from '../evaluate/context.ts';
import { commonType } from '../values/precedence.ts';
import { asText } from './as-text.ts';
import { withCtes } from './cte.ts';
import { compileLimits } from './limits.ts';
import { compareKeys, type OrderKey, outputColumn } from './order.ts';
import { gathered, settled } from './pause.ts';
import type { Plan, PlanColumn } from './plan.ts';
import { emptyScope } from './scope.ts';
import { type Around, compileSelect } from './select.ts';
import { setOperation } from './set-operation.ts';
import { inOrder } from './sort.ts';

const bare: Around = { orderBy: [] };

/** Compiles a query; `outer` is the scope of the query around it. */
export function compileQuery(query: Query, outer: Scope | undefined, context: Context): Plan {
  const plan = compileRows(query, outer, context);
  return query.as === undefined ? plan : asText(plan, query.as);
}

function compileRows(query: Query, outer: Scope | undefined, context: Context): Plan {
  const inSight = withCtes(query.with, context, query.maxRecursion);
  if (query.body.kind === 'select') return compileSelect(query.body, query, outer, inSight);
  const plan = compileBody(query.body, outer, inSight);
  return query.orderBy.length === 0 ? plan : sorted(plan, query, inSight);
}

function compileBody(body: QueryBody, outer: Scope | undefined, context: Context): Plan {
  switch (body.kind) {
    case 'select':
      return compileSelect(body, bare, outer, context);
    case 'nested':
      return compileQuery(body.query, outer, context);
    case 'values':
      return valuesPlan(
        body.rows.map((row) => row.map((each) => context.expression(each, outer ?? emptyScope))),
        outer !== undefined,
        context,
      );
    case 'set':
      return setOperation(
        body.operator,
        compileBody(body.left, outer, context),
        compileBody(body.right, outer, context),
        context.frame.host.options.dateFormat,
      );
  }
}

/** VALUES as a table: every row has as many values as the first. */
function valuesPlan(rows: readonly (readonly Compiled[])[], correlated: boolean, context: Context): Plan {
  const width = rows[0]?.length ?? 0;
  if (rows.some((row) => row.length !== width)) throw sqlError(10709);
  const columns = Array.from({ length: width }, (_, at): PlanColumn => {
    const typed = rows.flatMap((row) => (row[at]?.bare ? [] : row[at] === undefined ? [] : [row[at].type]));
    return { name: '', type: typed.length === 0 ? int : typed.reduce(commonType), nullable: true };
  });
  const values = rows.map((row) => row.map((value, at) => coerce(value, columns[at]?.type ?? int, context)));
  return {
    columns,
    correlated,
    *rows(env) {
      for (const row of values) yield yield* settled((each) => row.map((value) => value.evaluate(each)), env);
    },
  };
}

/** ORDER BY, OFFSET and FETCH over a UNION: only its own columns can be sorted by. */
function sorted(plan: Plan, query: Query, context: Context): Plan {
  const keys = query.orderBy.map((item): OrderKey & { at: number } => {
    const at = outputColumn(item, plan.columns);
    const column = at === undefined ? undefined : plan.columns[at];
    if (at === undefined || column === undefined) throw sqlError(104);
    return { at, descending: item.descending, value: { type: column.type, nullable: true, evaluate: () => null } };
  });
  const limits = compileLimits(undefined, query, context);
  return {
    columns: plan.columns,
    correlated: plan.correlated,
    *rows(env) {
      const rows = (yield* gathered(plan.rows(env))).map((row) => ({ row, keys: keys.map(({ at }) => row[at]) }));
      const ordered = yield* inOrder(rows, (a, b) => compareKeys(a.keys, b.keys, keys));
      const first = yield* settled(limits.skip, env);
      const count = (yield* settled(limits.count, env)) ?? rows.length;
      for (const { row } of ordered.slice(first, first + count)) yield row;
    },
  };
}
