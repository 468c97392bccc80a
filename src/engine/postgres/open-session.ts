import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import pg from 'pg';
import { EngineFault } from '../fault.ts';
import type { Address, Endpoint } from './address.ts';
import { WrongServer } from './errors.ts';
import type { ServerMoment } from './server-clock.ts';
import { tlsAttempts } from './tls.ts';

/** What a session is to be like. */
export interface SessionOptions {
  /** Settings of PostgreSQL; those that a server does not know are left out. */
  readonly settings: Readonly<Record<string, string>>;
  /** True: statements go out without waiting for the answers to those before. */
  readonly pipeline?: boolean;
}

/** What the sessions of a server are called in pg_stat_activity, unless its URL says something else. */
export const usualName = 'granary';

/** A session of a server, and what it said of itself. */
export interface Session {
  readonly client: pg.Client;
  /** The server as the URL names it, and the address that it was reached at. */
  readonly endpoint: Endpoint;
  readonly at: Endpoint;
  /** The process that serves it: not what the driver was told where a pooler stands between. */
  readonly processId: number;
  /** Which history of the database the server is in: it changes with every failover and crash. Empty where a server has none. */
  readonly history: string;
  /** What its clock said when it was opened. */
  readonly moment: ServerMoment;
}

/** What the server does for a connection whose other side is gone or frozen, by its own clock. */
const mindingPeers = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '30000',
};

/** A commit that was answered is on disk, whatever the role or the database says. */
const facts = `
  select pg_backend_pid() as pid, extract(epoch from clock_timestamp()) * 1000 as now, pg_is_in_recovery() as standby, current_setting('transaction_read_only') as locked,
    case current_setting('synchronous_commit') when 'off' then set_config('synchronous_commit', 'on', false) end as safe`;

const settle = `
  select set_config(s.name, given.value, false)
  from unnest($1::text[], $2::text[]) given (name, value) join pg_settings s on s.name = given.name`;

/**
 * The timeline, which a failover changes, and when the server began to count: it forgets its figures where it was not shut
 * down in order, and keeps them else.
 */
export const historyNow = `left(pg_walfile_name(pg_current_wal_lsn()), 8) || ' ' || coalesce((select stats_reset::text from pg_stat_bgwriter), '')`;

/** The addresses behind an endpoint: a name may stand for several servers. */
export async function addressesOf(endpoint: Endpoint): Promise<Endpoint[]> {
  const { host, port } = endpoint;
  if (host.startsWith('/') || isIP(host) !== 0) return [endpoint];
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => ({ host: address, port }));
}

/** Opens a session at one address of an endpoint, whose name the certificate must bear. */
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
    // Whoever is connecting hears of it by the call below, whoever uses it by a listener of their own.
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
  throw new EngineFault('There is no way to connect.');
}

/** Milliseconds that the other side has to hear a goodbye. */
const goodbye = 1000;

/** Ends a connection whose other side may be gone. */
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
    () => client.connection.stream.destroy(new Error('timeout: the server took the connection and does not answer')),
    connectTimeout,
  );
  try {
    const asked = performance.now();
    const { rows } = await client.query<{ pid: number; now: string; standby: boolean; locked: string }>(facts);
    const answered = performance.now();
    const [said] = rows;
    const where = `${host}:${port}`;
    if (said === undefined) throw new EngineFault(`The server at ${where} says nothing of itself.`);
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

/** What only speaks PostgreSQL's protocol may have no write-ahead log that it tells of. */
async function historyAt(client: pg.Client): Promise<string> {
  const found = await client.query<{ history: string }>(`select ${historyNow} as history`).catch((error: unknown) => {
    if (error instanceof pg.DatabaseError) return undefined;
    throw error;
  });
  return found?.rows[0]?.history ?? '';
}
