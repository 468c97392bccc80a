import { sqlError } from '../../base/messages/sql-error.ts';
import type { ApiCursor } from '../cursors/api-cursor.ts';
import { concurrencyBits, scrollBits } from '../cursors/api-options.ts';
import { type Fetched, fetchRows, openRows, shownRows } from '../cursors/fetch.ts';
import type { FetchKind } from '../cursors/rowset.ts';
import {
  done,
  handleOf,
  intOutput,
  numberOf,
  type SpecialCall,
  type SpecialProcedure,
  textOf,
} from './special-call.ts';

/** The bits of fetchtype; SKIP_UPDT_CNCY saves SQL Server work that is not done here. */
const fetchBits = { refresh: 0x80, info: 0x100, skipConcurrency: 0x400 } as const;
const fetchKinds: ReadonlyMap<number, { kind: FetchKind; name: string }> = new Map([
  [0x1, { kind: 'first', name: 'FIRST' }],
  [0x2, { kind: 'next', name: 'NEXT' }],
  [0x4, { kind: 'prior', name: 'PREVIOUS' }],
  [0x8, { kind: 'last', name: 'LAST' }],
  [0x10, { kind: 'absolute', name: 'ABSOLUTE' }],
  [0x20, { kind: 'relative', name: 'RELATIVE' }],
  [0x200, { kind: 'priorExact', name: 'PREVIOUS' }],
]);
const defaultBlock = 20;
/** Returned by a fetch of the previous block if there are fewer rows, so that it begins with the first. */
const cutShort = 2;

/** The cursor that the first argument names. */
export function cursorOf({ args, caller }: SpecialCall, procedure: string): { handle: number; cursor: ApiCursor } {
  const handle = handleOf(args[0], 'cursor');
  return { handle, cursor: caller.host.state.cursors.byHandle(handle, procedure) };
}

/** sp_cursorfetch cursor, fetchtype, rownum, nrows. */
export const fetchCursor: SpecialProcedure = async (call) => {
  const { args, caller, sink } = call;
  const { handle, cursor } = cursorOf(call, 'sp_cursorfetch');
  const type = numberOf(args[1], 2) & ~fetchBits.skipConcurrency;
  if (type === fetchBits.info) return info(call, cursor);
  const count = numberOf(args[3], defaultBlock);
  const isCutShort = fetchKinds.get(type)?.kind === 'prior' && openRows(cursor).isCutShort(count);
  const rows = await (type === fetchBits.refresh ? shownRows(cursor, caller) : move(call, cursor, type));
  await cursor.send(rows, sink);
  const { cursors } = caller.host.state;
  cursors.fetchStatus = rows.length > 0 ? 0 : -1;
  if (cursor.options.autoClose && !cursor.traits.scroll && rows.length < count) cursors.closeHandle(handle);
  return isCutShort ? { ...done, status: cutShort } : done;
};

/** The position of the cursor, and its number of rows. */
function info({ args }: SpecialCall, cursor: ApiCursor) {
  const { position } = openRows(cursor);
  return { status: 0, outputs: [...intOutput(args, 2, position), ...intOutput(args, 3, cursor.qualifyingRows)] };
}

async function move({ args, caller }: SpecialCall, cursor: ApiCursor, type: number): Promise<readonly Fetched[]> {
  const wanted = fetchKinds.get(type);
  if (wanted === undefined) throw sqlError(16902, 'sp_cursorfetch', 'fetchtype');
  const { kind, name } = wanted;
  const forwardOnly = cursor.options.type === 'fastForward' ? kind !== 'next' : kind !== 'next' && kind !== 'first';
  if (!cursor.traits.scroll && forwardOnly) throw sqlError(16911, 'sp_cursorfetch', name);
  if (cursor.options.type === 'dynamic' && kind === 'absolute') throw sqlError(16925, name);
  const count = numberOf(args[3], defaultBlock);
  const rowset = openRows(cursor);
  if (count < 0) throw sqlError(16902, 'sp_cursorfetch', 'nrows');
  if (count > 0) return fetchRows(cursor, kind, count, numberOf(args[2], 0), caller);
  if (kind === 'first') rowset.beforeFirst();
  else if (kind === 'last') rowset.afterLast();
  else throw sqlError(16902, 'sp_cursorfetch', 'nrows');
  return [];
}

/** sp_cursorclose cursor; -1 closes every one. */
export const closeCursor: SpecialProcedure = async (call) => {
  const { cursors } = call.caller.host.state;
  if (handleOf(call.args[0], 'cursor') === -1) cursors.closeHandles();
  else cursors.closeHandle(cursorOf(call, 'sp_cursorclose').handle);
  return done;
};

const optionCodes = { textPointers: 1, name: 2, textData: 3, scroll: 4, concurrency: 5, rowCount: 6 } as const;

/** sp_cursoroption cursor, code, value: sets a name, or returns properties of the cursor. */
export const cursorOption: SpecialProcedure = async (call) => {
  const { args, caller } = call;
  const { cursor } = cursorOf(call, 'sp_cursoroption');
  switch (numberOf(args[1], 0)) {
    // Text is always sent inline: a read-only cursor has no use for text pointers.
    case optionCodes.textPointers:
    case optionCodes.textData:
      return done;
    case optionCodes.name: {
      const name = textOf(args[2], 'value');
      if (caller.host.state.cursors.byName(name) !== undefined) throw sqlError(16915, name);
      cursor.name = name;
      return done;
    }
    case optionCodes.scroll:
      return { status: 0, outputs: intOutput(args, 2, scrollBits[cursor.options.type]) };
    case optionCodes.concurrency:
      return { status: 0, outputs: intOutput(args, 2, concurrencyBits[cursor.options.concurrency]) };
    case optionCodes.rowCount:
      return { status: 0, outputs: intOutput(args, 2, cursor.qualifyingRows) };
    default:
      throw sqlError(16902, 'sp_cursoroption', 'code');
  }
};
