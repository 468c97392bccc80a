import { setTimeout as delay } from 'node:timers/promises';
import type { Server } from './server.ts';

/** Milliseconds within which a call ends, and between two checks. */
const usualCall = 1000;
const interval = 50;

/** The transactions of others that hold locks in a schema. */
const holders = `
  select distinct l.pid || ' ' || l.virtualtransaction as holder
  from pg_locks l
  join pg_stat_activity a on a.pid = l.pid and a.backend_type = 'client backend'
  join pg_class c on c.oid = l.relation
  join pg_namespace n on n.oid = c.relnamespace
  where l.granted and l.pid <> pg_backend_pid() and n.nspname = $1
    and l.database = (select oid from pg_database where datname = current_database())`;

/** Whether a transaction that outlasts a call, so a client's on any node, holds a lock in a schema. */
export function isHeld(server: Server, schema: string): Promise<boolean> {
  return server.once({ settings: {} }, async ({ client }) => {
    const look = async () => {
      const { rows } = await client.query<{ holder: string }>(holders, [schema]);
      return new Set(rows.map(({ holder }) => holder));
    };
    let held = await look();
    for (const end = performance.now() + usualCall; held.size > 0; held = held.intersection(await look())) {
      if (performance.now() >= end) return true;
      await delay(interval);
    }
    return false;
  });
}
