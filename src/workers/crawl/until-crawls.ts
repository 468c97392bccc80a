import { SqlError } from '../../base/messages/sql-error.ts';
import type { Client } from '../../client/client.ts';
import { waitForCrawls } from '../../protocols/search/crawls/wait-for-crawls.ts';
import { unknownProcedure } from '../dispatch/unknown-procedure.ts';
import { rest } from './role.ts';

/** The maximum milliseconds of one call, and of a wait on a server that cannot wake waiters. */
const longest = 30_000;
const unwoken = 1000;

/** The error of a server on which too many calls wait already. */
const tooManyWait = 50102;

/**
 * A call that waits, for all roles that have nothing to do: each on its own would keep a connection of the client's.
 */
interface Wait {
  readonly areThere: Promise<boolean>;
  readonly cancel: AbortController;
  roles: number;
}

const waits = new WeakMap<Client, Wait>();

/**
 * Waits until there is a running crawl, or until the time is over, while a role has nothing to do; returns whether
 * there is one.
 */
export async function untilCrawls(admin: Client, milliseconds: number, signal: AbortSignal): Promise<boolean> {
  const wait = waits.get(admin) ?? begin(admin);
  wait.roles++;
  const leaving = new AbortController();
  const patience = rest(milliseconds, AbortSignal.any([signal, leaving.signal])).then(() => false);
  try {
    return await Promise.race([wait.areThere, patience]);
  } finally {
    leaving.abort();
    if (--wait.roles === 0) {
      forget(admin, wait);
      wait.cancel.abort();
    }
  }
}

function begin(admin: Client): Wait {
  const cancel = new AbortController();
  const areThere = ask(admin, cancel.signal).finally(() => forget(admin, wait));
  // If all waiters have left meanwhile, nobody needs the result.
  areThere.catch(() => {});
  const wait: Wait = { areThere, cancel, roles: 0 };
  waits.set(admin, wait);
  return wait;
}

function forget(admin: Client, wait: Wait): void {
  if (waits.get(admin) === wait) waits.delete(admin);
}

async function ask(admin: Client, signal: AbortSignal): Promise<boolean> {
  try {
    const { outcome } = await admin.call(waitForCrawls, { Milliseconds: longest }, { signal, idempotent: true });
    return outcome === 'there';
  } catch (error) {
    // A server that has only the specified procedures is asked again from time to time.
    const isAlone = error instanceof SqlError && (error.number === unknownProcedure || error.number === tooManyWait);
    if (!isAlone) throw error;
    await rest(unwoken, signal);
    return false;
  }
}
