import { SqlError, sqlError, sqlErrorAfter } from '../../base/sql-error.ts';
import type { Context } from '../evaluate/context.ts';
import type { MadeView } from '../storage/made-view.ts';
import type { Plan } from './plan.ts';

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
  if (columns.length < view.columns.length) throw sqlError(4502, view.name);
  return {
    columns: view.columns.flatMap(({ name }, at) => {
      const column = columns[at];
      return column === undefined ? [] : { ...column, name };
    }),
    correlated: false,
    rows,
    ...(explain === undefined ? {} : { explain }),
  };
}

/** What a view refers to may be gone, or be another: the cause, then 4413. */
function bound(view: MadeView, context: Context): Plan {
  try {
    return context.inView(view).query(view.definition.query, undefined);
  } catch (error) {
    if (!(error instanceof SqlError) || ofStatement.has(error.number)) throw error;
    throw sqlErrorAfter([error.at({ procedure: view.name })], sqlError(4413, view.name));
  }
}
