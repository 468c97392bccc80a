import { sqlError } from '../../base/messages/sql-error.ts';
import type { Kill } from '../../syntax/ast/statement.ts';
import type { Frame } from '../frame.ts';
import { type Completion, ended } from './completion.ts';

/** SQL Server keeps the numbers up to 50 for itself. */
const lastOwn = 50;
const lastId = 32_767;

/** KILL n: ends the session of that number and rolls back its transaction. */
export async function runKill({ spid, statusOnly }: Kill, { host, sink }: Frame): Promise<Completion> {
  if (!host.identity.isAdministrator || host.identity.isReadOnly) throw sqlError(6102);
  if (host.transactions.count > 0) throw sqlError(6115);
  if (spid < 1 || spid > lastId) throw sqlError(6101, spid, lastId);
  if (spid <= lastOwn) throw sqlError(6107);
  if (spid === host.identity.spid) throw sqlError(6104);
  // A session that is killed is gone at once: there is never a rollback to report on.
  if (statusOnly) throw sqlError(6120, spid);
  if (!host.server.endSession(spid)) throw sqlError(6106, spid);
  return ended(sink, { command: 'other' });
}
