import { setTimeout as delay } from 'node:timers/promises';
import { InDoubt, translated, Unreachable } from './errors.ts';
import { historyNow } from './open-session.ts';
import type { Server } from './server.ts';

/** Milliseconds before a transaction that is still being committed is asked for again. */
const askAgain = 200;

/** What a server says of a transaction, and which history it is in. */
const fate = `select pg_xact_status($1::text::xid8) as status, ${historyNow} as history`;

/** A number that the server has not given to anybody yet: what had it on another server did not get here. */
const inTheFuture = '22023';

/**
 * Finds out whether a transaction was kept whose commit was not answered: throws Unreachable when it was not, so that it
 * may be run again, and InDoubt when nobody can tell. After a failover or a crash the number of one that was lost may be
 * another's, since the server gives it away again: so only the history that it was made in can vouch for it, though any can
 * deny it.
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

/** Undefined when no server can be asked now. */
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
