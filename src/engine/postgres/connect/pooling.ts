import { ruleBroken } from '../../../base/messages/sql-error.ts';
import { NoServer } from '../errors.ts';
import { hangUp, type Session } from './open-session.ts';
import type { Server } from './server.ts';

const whoServes = 'select pg_backend_pid() as pid';

/** How often one connection is asked which process serves it: a pooler may rotate among its servers. */
const looks = 3;

/**
 * Refuses a pooler that changes the server process behind a connection: its locks, prepared statements and session
 * settings would belong to another client. While a second connection is in a transaction, the first must still have the
 * same process.
 */
export async function checkPooling(server: Server): Promise<void> {
  const [first, second] = [await server.connect({ settings: {} }), await another(server)];
  try {
    const isKept = (await keepsProcess(first)) && (await keepsBeside(first, second));
    if (isKept && first.processId !== second.processId) return;
  } finally {
    await Promise.all([hangUp(first.client), hangUp(second.client)]);
  }
  throw ruleBroken(
    'A pooler between Granary and PostgreSQL changes the server process of a connection. Granary needs pgbouncer with ' +
      'pool_mode = session for its database, or a direct connection.',
  );
}

async function another(server: Server): Promise<Session> {
  try {
    return await server.connect({ settings: {} });
  } catch (error) {
    if (!(error instanceof NoServer)) throw error;
    throw ruleBroken(
      `Granary cannot open a second connection to PostgreSQL (${error.message}); a pooler must allow several.`,
    );
  }
}

async function keepsProcess({ client, processId }: Session): Promise<boolean> {
  for (let look = 0; look < looks; look++) {
    const { rows } = await client.query<{ pid: number }>(whoServes);
    if (rows[0]?.pid !== processId) return false;
  }
  return true;
}

/** A pooler that does not even let a transaction begin answers with an error. */
async function keepsBeside(first: Session, second: Session): Promise<boolean> {
  const began = await second.client.query('begin').then(
    () => true,
    () => false,
  );
  const isKept = began && (await keepsProcess(first)) && (await keepsProcess(second));
  if (began) await second.client.query('rollback');
  return isKept;
}
