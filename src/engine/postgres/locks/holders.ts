import { setTimeout as delay } from 'node:timers/promises';
import type { Server } from '../connect/server.ts';

/** Milliseconds within which a call usually ends, and between two checks. */
const usualCall = 1000;
const interval = 50;

/** The transactions of others that hold locks in a schema, and what they are doing. */
const holders = `
  select distinct l.pid || ' ' || l.virtualtransaction as holder,
    format('process %s of %s (%s, %s): %s for %s ms, transaction open for %s ms', l.pid, a.application_name,
      coalesce(host(a.client_addr), 'local'), coalesce(a.wait_event, 'running'), a.state,
      round(extract(epoch from clock_timestamp() - a.state_change) * 1000),
      round(extract(epoch from clock_timestamp() - a.xact_start) * 1000)) as doing
  from pg_locks l
  join pg_stat_activity a on a.pid = l.pid and a.backend_type = 'client backend'
  join pg_class c on c.oid = l.relation
  join pg_namespace n on n.oid = c.relnamespace
  where l.granted and l.pid <> pg_backend_pid() and n.nspname = $1
    and l.database = (select oid from pg_database where datname = current_database())`;

/**
 * Describes the transactions that hold a lock in a schema for longer than a call does: those of clients, on any node.
 */
export function holdersOf(server: Server, schema: string): Promise<readonly string[]> {
  return server.once({ settings: {} }, async ({ client }) => {
    const look = async () => {
      const { rows } = await client.query<{ holder: string; doing: string }>(holders, [schema]);
      return new Map(rows.map(({ holder, doing }) => [holder, doing]));
    };
    let held = await look();
    for (const end = performance.now() + usualCall; held.size > 0; ) {
      if (performance.now() >= end) return [...held.values()];
      await delay(interval);
      const now = await look();
      held = new Map([...now].filter(([holder]) => held.has(holder)));
    }
    return [];
  });
}
