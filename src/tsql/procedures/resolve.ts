import { sqlError } from '../../base/messages/sql-error.ts';
import { lowered } from '../../base/text/lowered.ts';
import type { ObjectName } from '../../procedure/object-name.ts';
import type { DeclaredProcedure, Host } from '../host.ts';
import type { TemporaryProcedure } from '../session-state.ts';
import { procedureNamed } from '../storage/object-place.ts';
import { useCursor } from './cursor-change.ts';
import { closeCursor, cursorOption, fetchCursor } from './cursor-fetch.ts';
import { executeCursor, openCursor, prepareCursor, prepexecCursor } from './cursor-open.ts';
import { executePrepared, executeSql, prepare, prepareAndCall, prepareAndExecute, unprepare } from './execute-sql.ts';
import { addProperty, dropProperty, updateProperty } from './extended-property.ts';
import { refreshModule, refreshViewOf } from './refresh-view.ts';
import { rename } from './rename.ts';
import { setSessionContext } from './session-context.ts';
import type { SpecialProcedure } from './special-call.ts';

/** The interpreter's own procedures, by name in lower case. */
export const specialProcedures: ReadonlyMap<string, SpecialProcedure> = new Map(
  Object.entries({
    sp_executesql: executeSql,
    sp_prepare: prepare,
    sp_prepexec: prepareAndExecute,
    sp_prepexecrpc: prepareAndCall,
    sp_execute: executePrepared,
    sp_unprepare: unprepare,
    sp_set_session_context: setSessionContext,
    sp_rename: rename,
    sp_refreshview: refreshViewOf,
    sp_refreshsqlmodule: refreshModule,
    sp_addextendedproperty: addProperty,
    sp_updateextendedproperty: updateProperty,
    sp_dropextendedproperty: dropProperty,
    sp_cursor: useCursor,
    sp_cursoropen: openCursor,
    sp_cursorprepare: prepareCursor,
    sp_cursorexecute: executeCursor,
    sp_cursorprepexec: prepexecCursor,
    sp_cursorunprepare: unprepare,
    sp_cursorfetch: fetchCursor,
    sp_cursoroption: cursorOption,
    sp_cursorclose: closeCursor,
  }),
);

/**
 * What the name of a procedure refers to: one of the interpreter's own, a declared one, or one that a client created.
 */
export type Callable =
  | { readonly kind: 'special'; readonly run: SpecialProcedure }
  | { readonly kind: 'declared'; readonly declared: DeclaredProcedure }
  | { readonly kind: 'made'; readonly made: TemporaryProcedure };

/**
 * Finds a procedure, for EXECUTE and for RPC: 2812 if there is none. As in SQL Server, a client's procedure with the
 * name of a system procedure is never found.
 */
export function resolve(name: ObjectName, host: Host): Callable | Promise<Callable> {
  if (name.name.startsWith('#')) return madeBy(name, host);
  const run = specialProcedures.get(lowered(name.name));
  if (run !== undefined) {
    const { database } = name;
    return { kind: 'special', run: database === undefined ? run : (call) => run({ ...call, database }) };
  }
  const declared = host.declared(name);
  return declared instanceof Promise
    ? declared.then((found) => declaredOrMade(found, name, host))
    : declaredOrMade(declared, name, host);
}

const declaredOrMade = (declared: DeclaredProcedure | undefined, name: ObjectName, host: Host): Callable =>
  declared === undefined ? madeBy(name, host) : { kind: 'declared', declared };

function madeBy(name: ObjectName, host: Host): Callable {
  const made = procedureNamed(name, host);
  if (made === undefined) throw sqlError(2812, name.schema === undefined ? name.name : `${name.schema}.${name.name}`);
  return { kind: 'made', made };
}
