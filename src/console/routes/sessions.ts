import { keyOf } from '../../accounts/names.ts';
import { peerOf } from '../../base/peer-address.ts';
import type { SessionEntry, WaitEntry } from '../../procedure/server-view.ts';
import { type Answering, answer } from '../answer.ts';
import { endSession, listSessions, type SessionRow } from '../api/sessions.ts';

/** Who is connected, and what for. */
export const sessionListRoutes: readonly Answering[] = [
  // Not through SQL Server's views, which compute ten times as much for each: open consoles ask every few seconds.
  answer(listSessions, async ({ server, role, login }) => {
    const own = keyOf(login);
    const seen = server.view.sessions().filter((session) => role === 'admin' || keyOf(session.login) === own);
    const waits = new Map((await server.waits()).map((wait) => [wait.spid, wait]));
    const now = server.clock.now().getTime();
    return {
      sessions: seen
        .toSorted((one, other) => one.spid - other.spid)
        .map((session) => told(session, waits.get(session.spid), now)),
    };
  }),
  answer(endSession, async ({ client, params, log }) => {
    await client('master').query(`kill ${params.session}`);
    log.warn('a session was ended from the console', { ended: params.session });
    return { ended: true };
  }),
];

/** A session in the form of the interface. */
function told(session: SessionEntry, wait: WaitEntry | undefined, now: number): SessionRow {
  const { spid, login, host, program, database, transactions, encrypted, elapsed = 0 } = session;
  const isRunning = session.status === 'running';
  return {
    ...{ session: spid, login, host, program, database, transactions, encrypted, isRunning },
    address: peerOf(session.address).host,
    connected: session.connected.toISOString(),
    command: isRunning ? session.command || 'batch' : null,
    since: isRunning ? new Date(now - elapsed).toISOString() : null,
    waitsFor:
      isRunning && wait !== undefined
        ? { session: wait.blockedBy, resource: wait.resource, milliseconds: Math.max(0, now - wait.since.getTime()) }
        : null,
  };
}
