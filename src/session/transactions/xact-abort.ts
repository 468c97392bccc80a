import { rollbackTransaction } from '../../tsql/transactions.ts';
import type { SessionHost } from '../session-host.ts';

/**
 * Under XACT_ABORT an error or cancellation rolls back the client's transaction; the DONE that follows reports that it
 * has ended.
 */
export async function undoUnderXactAbort(host: SessionHost): Promise<void> {
  if (host.options.xactAbort && host.transactions.count > 0) await rollbackTransaction(host);
}
