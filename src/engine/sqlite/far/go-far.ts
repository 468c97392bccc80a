import { sqlError } from '../../../base/messages/sql-error.ts';
import type { Connection } from '../connection.ts';
import type { FarProcesses } from './far-process.ts';
import { FarTransaction } from './far-transaction.ts';

/**
 * Moves a transaction to another process: `leave` rolls it back here, and the changes in the connection's journal are
 * repeated there. No other writer of this process may come in between.
 */
export async function goFar(
  connection: Connection,
  processes: FarProcesses,
  leave: () => void,
  signal: AbortSignal | undefined,
): Promise<FarTransaction> {
  const { entries } = connection.journal;
  const before = connection.othersVersion();
  leave();
  const indexName = (table: string, columns: readonly string[]) => connection.indexName(table, columns);
  const far = await FarTransaction.begin(processes, connection.path, { indexName, file: connection }, signal);
  try {
    // Another process may have come in between, and what was read here may no longer hold.
    if (connection.othersVersion() !== before) throw sqlError(1205, '', 'lock');
    await far.repeat(entries, signal);
    return far;
  } catch (error) {
    await far.rollback();
    throw error;
  }
}
