import type { LockWait } from '../../db.ts';
import type { Link } from '../wire/link.ts';

/** The processes that wait for locks, each with one that blocks it. */
const blocked = `
  select waiting.pid, blocker
  from pg_stat_activity waiting, unnest(pg_blocking_pids(waiting.pid)) blocker
  where waiting.wait_event_type = 'Lock' and waiting.pid = any($1)`;

/** Which sessions wait for which, according to PostgreSQL's knowledge of the connections that work for them. */
export async function lockWaits(asking: Link, working: readonly Link[]): Promise<readonly LockWait[]> {
  const byProcess = new Map(working.map(({ service }) => [service.processId, service]));
  const parameters = [[...byProcess.keys()]];
  const { rows } = await asking.query({ text: blocked, parameters }, { prepared: false });
  const now = performance.now();
  return rows.flatMap(([waiting, blocker]) => {
    const waiter = byProcess.get(Number(waiting));
    const [blockedBy] = byProcess.get(Number(blocker))?.who ?? [];
    if (waiter === undefined || blockedBy === undefined) return [];
    return waiter.who.map((who) => ({ who, blockedBy, milliseconds: now - waiter.since }));
  });
}
