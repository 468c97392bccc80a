import { SqlError, sqlError, sqlErrorAfter } from '../../base/messages/sql-error.ts';
import type { Context } from '../evaluate/context.ts';
import type { MadeView } from '../storage/made-view.ts';
import { changed } from './batches.ts';
import { isShown, withCarriedRows } from './joins/carried-rows.ts';
import type { Plan, PlanColumn } from './plan.ts';

/** How deep views may be nested, as in SQL Server. */
const deepest = 32;

/** What is wrong with the statement rather than with what a view refers to. */
const ofStatement: ReadonlySet<number> = new Set([217, 4413, 4429, 8623]);

/** The query of a view with the columns that the view had when it was made; 4502 if there are not as many any more. */
export function viewPlan(view: MadeView, context: Context): Plan {
  const { views } = context;
  if (views.some(({ objectId }) => objectId === view.objectId)) throw sqlError(4429, view.name);
  if (views.length >= deepest) throw sqlError(217, deepest);
  const { rows, explain, columns } = bound(view, context);
  const { length } = view.columns;
  const more = columns.filter(isShown).length - length;
  if (more < 0) throw sqlError(4502, view.name);
  // Columns that the view has none of come before those that carry rows.
  const kept = <T>(row: readonly T[]): readonly T[] => row.toSpliced(length, more);
  return {
    columns: kept(columns).map((column, at) => ofView(column, view.columns[at]?.name ?? '', more)),
    correlated: false,
    rows: more === 0 ? rows : (env) => changed(rows(env), kept),
    ...(explain === undefined ? {} : { explain }),
  };
}

/** A column under the name that it has in a view, which has so many columns less than its query. */
const ofView = ({ base, ...column }: PlanColumn, name: string, fewer: number): PlanColumn => ({
  ...column,
  name,
  ...(base === undefined ? {} : { base: { ...base, row: base.row - fewer } }),
});

/** What a view refers to may be gone, or be another: the cause, then 4413. */
function bound(view: MadeView, context: Context): Plan {
  try {
    return context.inView(view).query(withCarriedRows(view.definition.query, context), undefined);
  } catch (error) {
    if (!(error instanceof SqlError) || ofStatement.has(error.number)) throw error;
    throw sqlErrorAfter([error.at({ procedure: view.name })], sqlError(4413, view.name));
  }
}
