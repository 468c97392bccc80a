import type { Frame } from '../frame.ts';
import type { Cursor } from './cursor.ts';

/** SCROLL_LOCKS: inside a transaction others may read the tables of the cursor, but neither change nor lock them so too. */
export async function lockTables({ keyset }: Cursor, { host, signal }: Frame): Promise<void> {
  const shared = new Set(host.tempDb.tables.values());
  for (const { table } of keyset?.positioned.tables ?? []) {
    if (shared.has(table)) await host.tempDb.awaitReadable(table, 'update', host, signal);
  }
}
