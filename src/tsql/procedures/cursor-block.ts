import { sqlError } from '../../base/sql-error.ts';
import { type ApiCursor, withStatus } from '../cursors/api-cursor.ts';
import type { FetchKind } from '../cursors/rowset.ts';
import type { StatementSink } from '../statement-sink.ts';

type Rows = readonly (readonly unknown[])[];

/** The rows of an open cursor of the API; a closed one has been forgotten with its handle. */
export function openRows(cursor: ApiCursor) {
  if (cursor.rowset === undefined) throw sqlError(16917);
  return cursor.rowset;
}

export const fetchBlock = (cursor: ApiCursor, kind: FetchKind, count: number, at?: number): Rows =>
  openRows(cursor).fetch(kind, count, at);

/** Sends rows of a cursor with their ROWSTAT, which no user asked for. */
export async function sendBlock(cursor: ApiCursor, rows: Rows, sink: StatementSink): Promise<void> {
  sink.columns(cursor.columns);
  sink.sources?.(cursor.columns.map((_, at) => ({ isHidden: at === cursor.columns.length - 1 })));
  for (const row of rows) await sink.row(withStatus(row));
  sink.endRows(rows.length);
}
