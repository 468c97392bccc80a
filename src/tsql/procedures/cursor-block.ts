import type { ApiCursor } from '../cursors/api-cursor.ts';
import type { Fetched } from '../cursors/fetch.ts';
import type { StatementSink } from '../statement-sink.ts';

/** Sends rows of a cursor with their ROWSTAT. */
export async function sendBlock(cursor: ApiCursor, rows: readonly Fetched[], sink: StatementSink): Promise<void> {
  sink.columns(cursor.columns);
  sink.sources?.(cursor.sources);
  for (const row of rows) await sink.row(cursor.sent(row));
  sink.endRows(rows.length);
}
