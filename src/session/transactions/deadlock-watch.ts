import { sqlError } from '../../base/messages/sql-error.ts';
import type { Database } from '../../engine/db.ts';
import type { ServerContext } from '../context.ts';

/** Milliseconds between two checks for a deadlock. */
const interval = 1000;

/** True for a session that others may wait for because of something other than a database lock. */
export const keepsLocks = (spid: number, { tempDb, view }: ServerContext): boolean =>
  tempDb.keepsAny(spid) || view.locks.holdsAny(spid);

/**
 * Runs a write that may wait for the lock of another transaction. The engine sees only those locks: a session that
 * holds tempdb tables or application locks for which the other session waits would wait forever. It gets error 1205
 * instead.
 */
export async function unlessDeadlocked<T>(
  spid: number,
  database: Database,
  context: ServerContext,
  signal: AbortSignal,
  write: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (!keepsLocks(spid, context)) return write(signal);
  const victim = new AbortController();
  const look = async () => {
    if (await isInCircle(spid, database, context)) victim.abort(sqlError(1205, spid, 'lock'));
  };
  const timer = setInterval(() => {
    look().catch((error: unknown) => context.log.warn('lock waits could not be checked', { error: String(error) }));
  }, interval);
  try {
    return await write(AbortSignal.any([signal, victim.signal]));
  } finally {
    clearInterval(timer);
  }
}

async function isInCircle(spid: number, database: Database, { tempDb, view }: ServerContext): Promise<boolean> {
  const waits = new Map((await database.waits()).map(({ who, blockedBy }) => [who, blockedBy]));
  for (const { owner, blockedBy } of [...tempDb.lockWaits(), ...view.locks.waiting()]) {
    if (blockedBy !== undefined) waits.set(owner.spid, blockedBy);
  }
  const seen = new Set<number>();
  for (let next = waits.get(spid); next !== undefined && !seen.has(next); next = waits.get(next)) {
    if (next === spid) return true;
    seen.add(next);
  }
  return false;
}
