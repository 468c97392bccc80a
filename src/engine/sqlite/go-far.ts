import { sqlError } from '../../base/sql-error.ts';
import type { Connection } from './connection.ts';
import type { FarProcesses } from './far-process.ts';
import { FarTransaction } from './far-transaction.ts';

/**
 * Goes on with a transaction in another process: `leave` undoes it here, and what the connection's journal holds is done
 * again there. No other writer of this process may come in between.
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
  const far = await FarTransaction.begin(processes, connection.path, { indexName }, signal);
  try {
    // Another process may have come in between, and what was read here need not hold any more.
    if (connection.othersVersion() !== before) throw sqlError(1205, '', 'lock');
    await far.repeat(entries, signal);
    return far;
  } catch (error) {
    await far.rollback();
    throw error;
  }
}
