import { useCursor } from './cursor-change.ts';
import { closeCursor, cursorOption, fetchCursor } from './cursor-fetch.ts';
import { executeCursor, openCursor, prepareCursor, prepexecCursor } from './cursor-open.ts';
import { executePrepared, executeSql, prepare, prepareAndCall, prepareAndExecute, unprepare } from './execute-sql.ts';
import { rename } from './rename.ts';
import { setSessionContext } from './session-context.ts';
import type { SpecialProcedure } from './special-call.ts';

/** The procedures that are the interpreter itself, by name in lower case. */
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
