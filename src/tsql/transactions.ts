import { sqlError } from '../base/messages/sql-error.ts';
import { toTheEnd } from '../base/threads/steps.ts';
import type { Host } from './host.ts';

/** BEGIN TRANSACTION, for statements and for requests of the transaction manager. */
export async function beginTransaction(host: Host, name?: string): Promise<void> {
  if (host.transactions.count === 0) {
    await host.transactions.begin(name);
    host.state.undo.begin();
    host.state.outerTransaction = name;
  } else {
    await host.transactions.begin(undefined);
  }
}

/** COMMIT TRANSACTION; 3902 if none is open. */
export async function commitTransaction(host: Host): Promise<void> {
  if (host.transactions.count === 0) throw sqlError(3902);
  await host.transactions.commit();
  if (host.transactions.count === 0) {
    host.state.undo.clear();
    host.tempDb.unlock(host.identity.spid);
    host.state.outerTransaction = undefined;
    host.state.usedCursors?.transactionEnded(false, host.options.cursorCloseOnCommit);
  }
}

/** ROLLBACK TRANSACTION, whole or to a savepoint; 3903 if none is open, 6401 if there is nothing of that name. */
export async function rollbackTransaction(host: Host, name?: string): Promise<void> {
  if (host.transactions.count === 0) throw sqlError(3903);
  if (name !== undefined && (await host.transactions.rollbackTo(name))) {
    await toTheEnd(host.state.undo.rollback(name));
    return;
  }
  if (name !== undefined && !isOuterName(host, name)) throw sqlError(6401, name);
  await host.transactions.rollback();
  await toTheEnd(host.state.undo.rollback());
  host.tempDb.unlock(host.identity.spid);
  host.state.outerTransaction = undefined;
  host.state.usedCursors?.transactionEnded(true, host.options.cursorCloseOnCommit);
}

/** SAVE TRANSACTION; 628 if none is open. */
export async function saveTransaction(host: Host, name: string): Promise<void> {
  if (host.transactions.count === 0) throw sqlError(628);
  await host.transactions.save(name);
  host.state.undo.save(name);
}

const isOuterName = (host: Host, name: string): boolean => host.state.outerTransaction === name;
