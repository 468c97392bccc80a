import { sqlError } from '../../base/messages/sql-error.ts';
import type { Frame } from '../frame.ts';
import type { Reading } from '../storage/reading.ts';
import type { Cursor } from './cursor.ts';
import type { Keyset, RowKey } from './keyset.ts';
import type { FetchKind, Rowset } from './rowset.ts';

/** True for a table that other sessions see too: one of tempdb, or a global temporary one. */
const isShared = (name: string): boolean => name.startsWith('##') || !/^[#@]/.test(name);

/** Waits until the tables of a cursor can be read this way. */
export async function awaitTables(keyset: Keyset, reading: Reading, { host, signal }: Frame): Promise<void> {
  for (const { table } of keyset.positioned.tables) {
    if (isShared(table.name)) await host.tempDb.awaitReadable(table, reading, host, signal);
  }
}

/** A fetched row; undefined for one that no longer exists. */
export type Fetched = readonly unknown[] | undefined;

/** The rows of an open cursor: 16917 when it is closed. */
export function openRows({ rowset }: Cursor): Rowset {
  if (rowset === undefined) throw sqlError(16917);
  return rowset;
}

/** Moves a cursor to another block of rows and shows them. */
export async function fetchRows(
  cursor: Cursor,
  kind: FetchKind,
  count: number,
  at: number,
  frame: Frame,
): Promise<readonly Fetched[]> {
  const rowset = openRows(cursor);
  const { keyset } = cursor;
  if (keyset !== undefined) await awaitTables(keyset, frame.host.options.isolation, frame);
  if (keyset === undefined || cursor.traits.type !== 'dynamic') rowset.fetch(kind, count, at);
  // A keyset cursor has keys for rows.
  else {
    // Rows inserted into the table meanwhile follow those known to the cursor.
    if (rowset.reachesEnd(kind, count, at))
      for (const key of await keyset.joining(rowset.rows as readonly RowKey[], frame.turn)) rowset.append(key);
    await rowset.fetchThere(kind, count, at, (row) => keyset.holds(row as RowKey));
  }
  cursor.position = 1;
  return shownRows(cursor, frame);
}

/** The rows of the block that was fetched last, as they are now. */
export async function shownRows(cursor: Cursor, frame: Frame): Promise<readonly Fetched[]> {
  const { block } = openRows(cursor);
  const { keyset } = cursor;
  if (keyset === undefined) return block;
  const shown: Fetched[] = [];
  for (const row of block) {
    if (frame.turn.isOver) await frame.turn.giveWay();
    shown.push(await keyset.show(row as RowKey));
  }
  return shown;
}
