import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import pg from 'pg';
import { EngineFault } from '../../fault.ts';
import { WrongServer } from '../errors.ts';
import type { Address, Endpoint } from './address.ts';
import type { ServerMoment } from './server-clock.ts';
import { tlsAttempts } from './tls.ts';

/** Options of a session. */
export interface SessionOptions {
  /** Settings of PostgreSQL; those that a server does not support are omitted. */
  readonly settings: Readonly<Record<string, string>>;
  /** True: statements are pipelined. */
  readonly pipeline?: boolean;
}

/** The application name of a server's sessions in pg_stat_activity, unless its URL sets one. */
export const usualName = 'granary';

/** A session with a server, and what the server reported about itself. */
export interface Session {
  readonly client: pg.Client;
  /** The server as the URL names it, and the address at which it was reached. */
  readonly endpoint: Endpoint;
  readonly at: Endpoint;
  /** The process that serves it; behind a pooler this differs from what the driver was told. */
  readonly processId: number;
  /** Identifies the timeline of the database: it changes with every failover and crash. Empty if a server has none. */
  readonly history: string;
  /** The server's time when the session was opened. */
  readonly moment: ServerMoment;
}

/** How the server treats a connection whose peer is gone or frozen, timed by its own clock. */
const mindingPeers = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '30000',
};

/** Ensures that an acknowledged commit is on disk, whatever the settings of the role or the database. */
const facts = `
  select pg_backend_pid() as pid, extract(epoch from clock_timestamp()) * 1000 as now, pg_is_in_recovery() as standby, current_setting('transaction_read_only') as locked,
    case current_setting('synchronous_commit') when 'off' then set_config('synchronous_commit', 'on', false) end as safe`;

const settle = `
  select set_config(s.name, given.value, false)
  from unnest($1::text[], $2::text[]) given (name, value) join pg_settings s on s.name = given.name`;

/**
 * The timeline, which a failover changes, and when the server's statistics began: it discards them unless it was shut
 * down cleanly.
 */
export const historyNow = `left(pg_walfile_name(pg_current_wal_lsn()), 8) || ' ' || coalesce((select stats_reset::text from pg_stat_bgwriter), '')`;

/** The addresses behind an endpoint: a name may resolve to several servers. */
export async function addressesOf(endpoint: Endpoint): Promise<Endpoint[]> {
  const { host, port } = endpoint;
  if (host.startsWith('/') || isIP(host) !== 0) return [endpoint];
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => ({ host: address, port }));
}

/** Opens a session at one address of an endpoint, whose name the certificate must contain. */
export async function openSession(
  address: Address,
  { name, at }: { readonly name: string; readonly at: Endpoint },
  options: SessionOptions,
): Promise<Session> {
  const attempts = at.host.startsWith('/') ? [false as const] : tlsAttempts(address.tls, name);
  for (const [i, ssl] of attempts.entries()) {
    const client = new pg.Client({
      ...address.startup,
      application_name: address.startup.application_name ?? usualName,
      host: at.host,
      port: at.port,
      user: address.user,
      database: address.database,
      ...(address.password === undefined ? {} : { password: address.password }),
      ssl: ssl === false || isIP(name) !== 0 ? ssl : { ...ssl, servername: name },
      connectionTimeoutMillis: address.connectTimeout,
      keepAlive: address.keepAlive !== undefined,
      keepAliveInitialDelayMillis: address.keepAlive ?? 0,
      ...(options.pipeline === true ? { pipeline: true } : {}),
    });
    // While connecting, the call below reports errors; later, a listener of the user does.
    client.on('error', () => {});
    try {
      await client.connect();
      return {
        ...(await introduced(client, at, address, options)),
        client,
        endpoint: { host: name, port: at.port },
        at,
      };
    } catch (error) {
      void hangUp(client);
      if (i === attempts.length - 1 || error instanceof WrongServer) throw error;
    }
  }
  throw new EngineFault('There is no endpoint to connect to.');
}

/** Milliseconds that the peer has to receive a Terminate message. */
const goodbye = 1000;

/** Ends a connection whose peer may be gone. */
export async function hangUp(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => client.connection.stream.destroy(), goodbye);
  await client.end().catch(() => {});
  clearTimeout(timer);
}

async function introduced(
  client: pg.Client,
  { host, port }: Endpoint,
  { wish, connectTimeout }: Address,
  { settings }: SessionOptions,
): Promise<Pick<Session, 'processId' | 'history' | 'moment'>> {
  const timer = setTimeout(
    () =>
      client.connection.stream.destroy(new Error('timeout: the server accepted the connection and does not answer')),
    connectTimeout,
  );
  try {
    const asked = performance.now();
    const { rows } = await client.query<{ pid: number; now: string; standby: boolean; locked: string }>(facts);
    const answered = performance.now();
    const [said] = rows;
    const where = `${host}:${port}`;
    if (said === undefined) throw new EngineFault(`The server at ${where} reports nothing about itself.`);
    if (wish !== 'any' && said.standby) throw new WrongServer(`The server at ${where} is a standby.`);
    if (wish === 'read-write' && said.locked === 'on') throw new WrongServer(`The server at ${where} is read-only.`);
    const all = Object.entries({ ...mindingPeers, ...settings });
    await client.query(settle, [all.map(([name]) => name), all.map(([, value]) => value)]);
    const history = said.standby ? '' : await historyAt(client);
    return { processId: said.pid, history, moment: { server: Number(said.now), asked, answered } };
  } finally {
    clearTimeout(timer);
  }
}

/** A server that only speaks PostgreSQL's protocol may not report a write-ahead log. */
async function historyAt(client: pg.Client): Promise<string> {
  const found = await client.query<{ history: string }>(`select ${historyNow} as history`).catch((error: unknown) => {
    if (error instanceof pg.DatabaseError) return undefined;
    throw error;
  });
  return found?.rows[0]?.history ?? '';
}
