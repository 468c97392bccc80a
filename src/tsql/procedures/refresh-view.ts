import { sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import { parseObjectName } from '../../procedure/object-name.ts';
import { indexOfParams, matchArguments } from '../../procedure/run/match-arguments.ts';
import { refreshView } from '../statements/view.ts';
import { placeToDrop, procedureNamed } from '../storage/object-place.ts';
import { done, type SpecialProcedure, textOf } from './special-call.ts';

/** sp_refreshview and sp_refreshsqlmodule: a view gets the columns that its query has now; 15165 if there is none. */
const refreshing =
  (procedure: string, parameters: readonly string[], procedures: boolean): SpecialProcedure =>
  async ({ args, caller, database = caller.host.database }) => {
    const params = indexOfParams(parameters.map((name) => ({ name })));
    const [at] = matchArguments(procedure, params, args);
    const text = textOf(at === undefined ? undefined : args[at], parameters[0] ?? '');
    const parsed = parseObjectName(text);
    const name = parsed && { ...parsed, database: parsed.database ?? database };
    const place = name && placeToDrop(name, caller.host);
    const view = name && place?.views.get(fold(name.name));
    if (view !== undefined && place !== undefined) await refreshView(view, place, caller);
    // What a procedure refers to is looked up whenever it runs.
    else if (!procedures || name === undefined || procedureNamed(name, caller.host) === undefined)
      throw sqlError(15165, text);
    return done;
  };

export const refreshViewOf = refreshing('sp_refreshview', ['@viewname'], false);

export const refreshModule = refreshing('sp_refreshsqlmodule', ['@name', '@namespace'], true);
