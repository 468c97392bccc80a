import { sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import type { Expression } from '../../syntax/ast/expression.ts';
import { firstSelect } from '../../syntax/ast/first-select.ts';
import type { OrderItem, Query, QueryBody } from '../../syntax/ast/query.ts';
import { int } from '../../tds/types/index.ts';
import { commonType } from '../../values/precedence.ts';
import { coerce } from '../evaluate/coerce.ts';
import type { Compiled, Env } from '../evaluate/compiled.ts';
import type { Context, Scope } from '../evaluate/context.ts';
import { type Prepared, preparedAs } from '../evaluate/prepared.ts';
import { changed, evaluated, inBatches, keepValue } from './batches.ts';
import { withCtes } from './cte.ts';
import { compileLimits, sortedAndLimited } from './limits.ts';
import { outputColumn } from './order-by.ts';
import type { Plan, PlanColumn } from './plan.ts';
import { compileRow, isRow } from './row.ts';
import { sizeOf } from './run.ts';
import { emptyScope } from './scope.ts';
import { type Around, compileSelect } from './select.ts';
import { compileSet } from './set-operation.ts';
import { asText } from './texts/as-text.ts';

/** The compilation cost of each SELECT of a UNION. */
const effortOfBranch = 80;

const bare: Around = { orderBy: [] };

/** Compiles a query; `outer` is the scope of the outer query. */
export function compileQuery(query: Query, outer: Scope | undefined, context: Context): Plan {
  const plan = compileRows(query, outer, context);
  return query.as === undefined ? plan : asText(plan, query.as, context.run);
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
      if (isRow(body)) return compileRow(body, context);
      context.spend(effortOfBranch);
      return compileSelect(body, bare, outer, context);
    case 'nested':
      return compileQuery(body.query, outer, context);
    case 'values':
      return valuesPlan(
        body.rows.map((row) =>
          context.prepared(() => row.map((each) => context.expression(valueIn(each), outer ?? emptyScope))),
        ),
        outer !== undefined,
        context,
      );
    case 'set':
      return compileSet(body, (each) => compileBody(each, outer, context), context);
  }
}

/** DEFAULT is for the VALUES of an INSERT. */
function valueIn(value: Expression | 'default'): Expression {
  if (value === 'default') throw sqlError(156, 'DEFAULT');
  return value;
}

/** VALUES as a table: every row has as many values as the first. */
function valuesPlan(rows: readonly Prepared<readonly Compiled[]>[], correlated: boolean, context: Context): Plan {
  const width = rows[0]?.compiled.length ?? 0;
  if (rows.some(({ compiled }) => compiled.length !== width)) throw sqlError(10709);
  const columns = Array.from({ length: width }, (_, at): PlanColumn => {
    const values = rows.flatMap(({ compiled }) => compiled[at] ?? []);
    const typed = values.filter(({ bare }) => !bare).map(({ type }) => type);
    return { name: '', type: typed.length === 0 ? int : typed.reduce(commonType), nullable: true };
  });
  const values = rows.map((row) =>
    preparedAs(row, (compiled) => {
      const coerced = compiled.map((value, at) => coerce(value, columns[at]?.type ?? int, context));
      return (env: Env) => coerced.map((value) => value.evaluate(env));
    }),
  );
  return {
    columns,
    correlated,
    async *rows(env) {
      for (const row of values) yield* evaluated(inBatches([env]), row, keepValue, context.run.turn);
    },
  };
}

/**
 * Columns that the first SELECT of a UNION selects under their own name: `ORDER BY t.a` may refer to them with their
 * table too.
 */
function selectedFirst(item: OrderItem, body: QueryBody): number | undefined {
  const { expression } = item;
  const first = firstSelect(body);
  if (first === undefined || expression.kind !== 'column') return undefined;
  if (first.items.some(({ kind }) => kind !== 'value')) return undefined;
  const name = (parts: readonly string[]) => parts.map(fold).join('.');
  const at = first.items.findIndex(
    (each) =>
      each.kind === 'value' &&
      each.expression.kind === 'column' &&
      name(each.expression.parts) === name(expression.parts),
  );
  return at < 0 ? undefined : at;
}

/** ORDER BY, OFFSET and FETCH over a UNION: only its own columns can be sorted by. */
function sorted(plan: Plan, query: Query, context: Context): Plan {
  const places = query.orderBy.map((item) => {
    const at = outputColumn(item, plan.columns) ?? selectedFirst(item, query.body);
    if (at === undefined) throw sqlError(104);
    return at;
  });
  const keys = query.orderBy.map(({ descending }, at) => ({
    type: plan.columns[places[at] ?? 0]?.type ?? int,
    descending,
  }));
  const limits = compileLimits(undefined, query, context);
  return {
    columns: plan.columns,
    correlated: plan.correlated,
    async *rows(env) {
      const rows = changed(plan.rows(env), (row) => ({ row, keys: places.map((at) => row[at]) }));
      const wanted = { ...(await limits.of(env)), ties: false };
      yield* changed(
        sortedAndLimited(rows, keys, wanted, ({ row }) => sizeOf(row), context.run),
        ({ row }) => row,
      );
    },
  };
}
