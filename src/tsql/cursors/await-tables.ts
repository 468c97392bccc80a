import type { Frame } from '../frame.ts';
import type { Reading } from '../storage/reading.ts';
import type { Keyset } from './keyset.ts';

/** True for a table that other sessions see too: one of tempdb, or a global temporary one. */
const isShared = (name: string): boolean => name.startsWith('##') || !/^[#@]/.test(name);

/** Waits until the tables of a cursor can be read so. */
export async function awaitTables(keyset: Keyset, reading: Reading, { host, signal }: Frame): Promise<void> {
  for (const { table } of keyset.positioned.tables) {
    if (isShared(table.name)) await host.tempDb.awaitReadable(table, reading, host, signal);
  }
}
