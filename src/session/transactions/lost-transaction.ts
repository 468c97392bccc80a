import { SqlError, sqlError } from '../../base/messages/sql-error.ts';
import type { CallsOptions } from '../calls/calls-options.ts';

/** Errors that always roll back the client's transaction; the last two are those of a lost PostgreSQL. */
const losing: ReadonlySet<number> = new Set([1205, 3960, 3966, 40197, 40613]);

/** A deadlock, and a snapshot that was ended or overtaken by other commits, end the client's transaction. */
export async function unlessLost<T>(
  session: Pick<CallsOptions, 'identity' | 'options' | 'transactions' | 'undo'>,
  work: Promise<T>,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof SqlError) || !losing.has(error.number)) throw error;
    if (session.transactions.count > 0) await session.undo();
    throw asDeadlock(session, error);
  }
}

/** Except under SNAPSHOT, a write conflict is reported as a deadlock (1205). */
export function asDeadlock({ identity, options }: Pick<CallsOptions, 'identity' | 'options'>, error: unknown): unknown {
  const isConflict = error instanceof SqlError && error.number === 3960;
  return isConflict && options.isolation !== 'snapshot' ? sqlError(1205, identity.spid, 'lock') : error;
}
