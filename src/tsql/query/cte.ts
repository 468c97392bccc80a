import { sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import type { Cte, FromItem, Query, QueryBody } from '../../syntax/ast/query.ts';
import { walk } from '../../syntax/ast/walk.ts';
import type { Env } from '../evaluate/compiled.ts';
import type { Context, CteSource, Scope } from '../evaluate/context.ts';
import { inBatches } from './batches.ts';
import { withCarriedRows } from './joins/carried-rows.ts';
import { renamed } from './joins/from.ts';
import type { Plan } from './plan.ts';
import { gathered, hold } from './run.ts';
import { converted } from './unified.ts';

/** The maximum recursion of a recursive expression unless OPTION (MAXRECURSION n) says otherwise. */
const usualRecursion = 100;

/** Brings the common table expressions of a WITH into scope, each seeing the previous ones. */
export function withCtes(ctes: readonly Cte[], context: Context, maxRecursion: number | undefined): Context {
  return ctes.reduce((inSight, cte) => {
    // Each has a list of those before it.
    context.spend(inSight.ctes.size >> 2);
    const source = isRecursive(cte) ? recursive(cte, inSight, maxRecursion ?? usualRecursion) : plain(cte, inSight);
    return inSight.withCtes(new Map([...inSight.ctes, [fold(cte.name), source]]));
  }, context);
}

const plain =
  (cte: Cte, context: Context): CteSource =>
  (outer) => {
    const plan = context.query(withCarriedRows(cte.query, context), outer);
    return { ...plan, columns: renamed(plan.columns, cte.columns, cte.name) };
  };

/** True if the query refers to itself in a FROM. */
function isRecursive({ name, query }: Cte): boolean {
  let found = false;
  walk(query, (node) => {
    if (node.kind === 'table') {
      const table = node as FromItem & { kind: 'table' };
      found ||= table.name.schema === undefined && fold(table.name.name) === fold(name);
    }
    return !found;
  });
  return found;
}

const queryOf = (body: QueryBody): Query => ({ with: [], body, orderBy: [] });

/** anchor UNION ALL step: the step runs on the rows of the previous step until it yields none. */
function recursive(cte: Cte, context: Context, limit: number): CteSource {
  const { body } = cte.query;
  const step = body.kind === 'set' ? body.rest.at(-1) : undefined;
  if (body.kind !== 'set' || step?.operator !== 'union all') throw sqlError(252, cte.name);
  const before = body.rest.slice(0, -1);
  const anchor = before.length === 0 ? body.first : { ...body, rest: before };
  return (outer) => recursivePlan(cte, { anchor, step: step.body }, context, limit, outer);
}

function recursivePlan(
  cte: Cte,
  members: { readonly anchor: QueryBody; readonly step: QueryBody },
  context: Context,
  limit: number,
  outer: Scope | undefined,
): Plan {
  const anchor = context.query(queryOf(members.anchor), outer);
  // Most of its rows come from the step: its columns are no table's.
  const columns = renamed(anchor.columns, cte.columns, cte.name).map(
    ({ source: _, table: __, isIdentity: ___, numbering: ____, isComputed: _____, ...column }) => ({
      ...column,
      nullable: true,
    }),
  );
  let working: readonly (readonly unknown[])[] = [];
  const itself: CteSource = () => ({ columns, correlated: false, rows: () => inBatches(working) });
  const step = context
    .withCtes(new Map([...context.ctes, [fold(cte.name), itself]]), true)
    .query(queryOf(members.step), outer);
  if (step.columns.length !== columns.length) throw sqlError(205);
  const { dateFormat } = context.frame.host.options;
  return {
    columns,
    correlated: anchor.correlated || step.correlated,
    async *rows(env: Env) {
      using first = hold(context.run);
      let current = await gathered(anchor.rows(env), first, context.run.turn);
      yield current;
      for (let depth = 0; current.length > 0; depth++) {
        using held = hold(context.run);
        working = current;
        current = await gathered(converted(step, columns, env, dateFormat, context.run.turn), held, context.run.turn);
        // One step more may find that nothing is left to do.
        if (limit > 0 && depth >= limit && current.length > 0) throw sqlError(530, limit);
        yield current;
      }
    },
  };
}
