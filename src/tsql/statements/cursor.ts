import { formatMessage, sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import { firstSelect } from '../../syntax/ast/first-select.ts';
import type { Query } from '../../syntax/ast/query.ts';
import type { CursorName, CursorStatement, DeclareCursor, FetchCursor } from '../../syntax/ast/statement.ts';
import { int } from '../../tds/types/index.ts';
import { NamedCursor } from '../cursors/cursor.ts';
import { awaitTables, fetchRows, openRows } from '../cursors/fetch.ts';
import { Keyset } from '../cursors/keyset.ts';
import { StatementContext } from '../evaluate/statement-context.ts';
import type { Frame } from '../frame.ts';
import { eachRow } from '../query/read.ts';
import { evaluateAs, give } from './assign.ts';
import { type Completion, ended, next, sendSet } from './completion.ts';
import { beginImplicitly, beginToRead } from './transaction.ts';

/** DECLARE … CURSOR: the query is checked now and run by OPEN. */
export async function runDeclareCursor(statement: DeclareCursor, frame: Frame): Promise<Completion> {
  const { name, local, scroll, type, isReadOnly, locks, warns } = statement;
  const cursors = local ? frame.cursors : frame.host.state.cursors.global;
  if (cursors.has(fold(name))) throw sqlError(16915, name);
  const query = bindVariables(statement.query, frame);
  const { body } = query;
  if (query.isBrowsed) throw sqlError(156, 'BROWSE');
  if (firstSelect(body)?.into !== undefined) throw sqlError(156, 'INTO');
  if (body.kind === 'select' && body.items.some(({ kind }) => kind === 'assign')) throw sqlError(141);
  const updatable = typeof query.purpose === 'object' ? query.purpose.update : undefined;
  const isPositioned = (type === 'keyset' || type === 'dynamic') && query.as === undefined;
  const plan = (await StatementContext.of(frame, query)).query({ ...query, isPositioned }, undefined);
  if (updatable !== undefined && (isReadOnly || plan.positioned === undefined)) throw sqlError(16957);
  const traits = { scroll, type, isReadOnly, locks, ...(updatable?.length ? { updatable } : {}) };
  const cursor = new NamedCursor(name, { ...query, isPositioned }, traits);
  frame.host.state.cursors.declared(cursor);
  cursors.set(fold(name), cursor);
  if (warns && isPositioned && plan.positioned === undefined)
    frame.sink.info({ number: 16956, severity: 10, state: 1, text: formatMessage(16956, []) });
  return ended(frame.sink, { command: 'declare' });
}

/** The cursor of that name, the batch's own before the session's: 16916 if there is none. */
function named({ name, global }: CursorName, frame: Frame): NamedCursor {
  const key = fold(name);
  const found = (global ? undefined : frame.cursors.get(key)) ?? frame.host.state.cursors.global.get(key);
  if (found === undefined) throw sqlError(16916, name);
  return found;
}

/** OPEN reads all rows, or their keys for a cursor that rereads them. */
export async function runOpenCursor({ cursor: name }: CursorStatement, frame: Frame): Promise<Completion> {
  const cursor = named(name, frame);
  if (cursor.rowset !== undefined) throw sqlError(16905);
  await beginToRead(cursor.query, frame);
  const { cursors } = frame.host.state;
  const context = await StatementContext.of(frame, cursor.query);
  const plan = context.query(cursor.query, undefined);
  const collector = cursors.collector();
  const most = frame.host.options.rowCount || Number.POSITIVE_INFINITY;
  const keyset = plan.positioned && new Keyset(plan.positioned);
  const kept = keyset?.keys() ?? ((row: readonly unknown[]) => row);
  await eachRow(plan, context, (row) => collector.add(kept(row)), most);
  if (keyset !== undefined && cursor.traits.locks) await awaitTables(keyset, 'update', frame);
  cursor.open(collector.rowset(plan.columns), keyset);
  cursors.opened(cursor);
  frame.host.state.rowCount = 0;
  return ended(frame.sink, { command: 'other' });
}

/** @@FETCH_STATUS of a fetch beyond the rows, and of one whose row has been deleted. */
const fetchStatus = { beyond: -1, missing: -2 } as const;

/** FETCH sends its row to the client, or into variables. */
export async function runFetch(statement: FetchCursor, frame: Frame): Promise<Completion> {
  const cursor = named(statement.cursor, frame);
  const { state } = frame.host;
  const { direction } = statement;
  const rowset = openRows(cursor);
  const { scroll, type } = cursor.traits;
  if (!scroll && direction !== 'next') throw sqlError(16911, 'fetch', direction.toUpperCase());
  if (type === 'dynamic' && cursor.keyset !== undefined && direction === 'absolute') throw sqlError(16925, 'absolute');
  const { into } = statement;
  if (into.length > 0 && into.length !== rowset.columns.length) throw sqlError(16924);
  await beginImplicitly(frame);
  const at = statement.at === undefined ? 0 : Number((await evaluateAs(statement.at, int, frame)) ?? 0);
  const fetched = await fetchRows(cursor, direction, 1, at, frame);
  const [row] = fetched;
  state.cursors.fetchStatus = fetched.length === 0 ? fetchStatus.beyond : row === undefined ? fetchStatus.missing : 0;
  const count = row === undefined ? 0 : 1;
  state.rowCount = count;
  if (into.length > 0) {
    for (const [at, name] of row === undefined ? [] : into.entries())
      await give(frame.variable(name), row?.[at], rowset.columns[at]?.type ?? int, frame);
    return ended(frame.sink, { command: 'other', count });
  }
  await sendSet(frame.sink, rowset.columns, row === undefined ? [] : [row]);
  return next;
}

/** CLOSE gives the rows up; the cursor can be opened again. */
export async function runCloseCursor({ cursor: name }: CursorStatement, frame: Frame): Promise<Completion> {
  const cursor = named(name, frame);
  openRows(cursor);
  frame.host.state.cursors.close(cursor);
  return ended(frame.sink, { command: 'other' });
}

/** DEALLOCATE forgets the cursor, open or not. */
export async function runDeallocate({ cursor: name }: CursorStatement, frame: Frame): Promise<Completion> {
  const cursor = named(name, frame);
  const { cursors } = frame.host.state;
  cursors.forget(cursor);
  for (const map of [frame.cursors, cursors.global]) {
    if (map.get(fold(cursor.name)) === cursor) map.delete(fold(cursor.name));
  }
  return ended(frame.sink, { command: 'other' });
}

/** A query with its variables replaced by their current values: a cursor does not see later assignments. */
function bindVariables(query: Query, frame: Frame): Query {
  // The copy has the same shape: nodes for variables become nodes for constants, which are allowed in the same places.
  return bound(query, frame) as Query;
}

function bound(node: unknown, frame: Frame): unknown {
  if (Array.isArray(node)) return node.map((each) => bound(each, frame));
  if (typeof node !== 'object' || node === null || node instanceof Uint8Array || node instanceof Date) return node;
  if ('kind' in node && node.kind === 'literal') return node;
  if ('kind' in node && node.kind === 'variable' && 'name' in node && typeof node.name === 'string') {
    return constant(node.name, frame) ?? node;
  }
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, key === 'type' ? value : bound(value, frame)]),
  );
}

/** Undefined for a table variable, which is not replaced. */
function constant(name: string, frame: Frame): object | undefined {
  const found = frame.find(name);
  return found && { kind: 'literal', type: found.type, value: found.value };
}
