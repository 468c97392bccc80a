import { rollbackTransaction } from '../tsql/transactions.ts';
import type { SessionHost } from './session-host.ts';

/** Under XACT_ABORT an error or a cancel undoes the client's transaction; the DONE that follows tells that it is over. */
export async function undoUnderXactAbort(host: SessionHost): Promise<void> {
  if (host.options.xactAbort && host.transactions.count > 0) await rollbackTransaction(host);
}
