import { setTimeout as delay } from 'node:timers/promises';
import { historyNow } from './connect/open-session.ts';
import type { Server } from './connect/server.ts';
import { InDoubt, translated, Unreachable } from './errors.ts';

/** Milliseconds between two queries for the status of a transaction that is still committing. */
const askAgain = 200;

/** The status of a transaction according to a server, and the timeline of that server. */
const fate = `select pg_xact_status($1::text::xid8) as status, ${historyNow} as history`;

/**
 * SQLSTATE for a number that the server has not assigned yet: a transaction that had it on another server was not
 * replicated.
 */
const inTheFuture = '22023';

/**
 * Determines whether a transaction whose commit was not answered was committed. Throws Unreachable if it was not, so
 * that it may be retried, and InDoubt if this cannot be determined. After a failover or a crash, the number of a lost
 * transaction may be assigned again. Only a server on the transaction's own timeline can therefore confirm it, although
 * any can deny it.
 */
export async function assureKept(server: Server, id: string, history: string, lost: unknown): Promise<void> {
  if (id === '' || history === '') throw new InDoubt(lost);
  const since = performance.now();
  do {
    const said = await ask(server, id);
    if (said === 'undone') throw new Unreachable(lost);
    if (said?.status === 'aborted') throw new Unreachable(lost);
    if (said?.status === 'committed' && said.history === history) return;
    if (said !== undefined && said.status !== 'in progress') break;
    await delay(askAgain);
  } while (server.isWorthWaiting(since));
  throw new InDoubt(lost);
}

/** Undefined if no server can be asked now. */
async function ask(server: Server, id: string) {
  try {
    return await server.once({ settings: {} }, async ({ client }) => {
      const { rows } = await client.query<{ status: string | null; history: string }>(fate, [id]);
      return rows[0] ?? { status: null, history: '' };
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === inTheFuture) return 'undone';
    if (error instanceof Unreachable || translated(error, fate) instanceof Unreachable) return undefined;
    throw error;
  }
}
