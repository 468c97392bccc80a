import { fold } from '../../base/text/collation.ts';
import { smallint } from '../../tds/types/index.ts';
import type { Cursor } from '../cursors/cursor.ts';
import type { Context, FunctionSpec } from '../evaluate/context.ts';
import { simple } from './define.ts';

/** What CURSOR_STATUS answers for a cursor that is closed, and for one that does not exist. */
const closed = -1;
const unknown = -3;

function cursorNamed({ frame }: Context, scope: string, name: string): Cursor | undefined {
  if (scope === 'local') return frame.cursors.get(fold(name));
  return scope === 'global' ? frame.host.state.cursors.global.get(fold(name)) : undefined;
}

/** 1 with rows to fetch, 0 if it was opened and has none. */
function statusOf(cursor: Cursor | undefined): number {
  if (cursor === undefined) return unknown;
  if (cursor.rowset === undefined) return closed;
  return cursor.rowset.count > 0 || !cursor.isCounted ? 1 : 0;
}

/** The functions about cursors. */
export const cursorFunctions: Readonly<Record<string, FunctionSpec>> = {
  CURSOR_STATUS: simple('name, name', smallint, ([scope, name], context) =>
    statusOf(cursorNamed(context, String(scope).toLowerCase(), String(name))),
  ),
};
