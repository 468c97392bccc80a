import { randomBytes } from 'node:crypto';
import { keyOf } from '../accounts/names.ts';
import type { Vouched } from '../base/vouched.ts';
import { Client } from '../client/client.ts';
import type { ConsoleServer } from './console-server.ts';

/** Milliseconds after its last request that a visit ends, and after its login at the latest. */
const idleEnd = 60 * 60_000;
const latestEnd = 12 * 60 * 60_000;

/** Visits that are kept at once, of one login and of all; the one that was idle longest makes room. */
const mostOfLogin = 32;
const most = 1024;

/** Connections of a visit to a database: pages request several things at once. */
const connections = 4;

/** Names of databases that a visit keeps a client for: callers choose them. */
const mostDatabases = 64;

/** A user who has logged in to the console, identified by the cookie. */
export interface Visit {
  readonly who: Vouched;
  /** What a changing request needs in addition to the cookie. */
  readonly csrf: string;
  readonly clients: DatabaseClients;
  readonly began: number;
  lastSeen: number;
  /** Aborted when the visit ends, and what it follows with it. */
  readonly over: AbortController;
}

/** The in-process client of a user, possibly read-only; each database in use has its own pool. */
export const clientOf = (server: Pick<ConsoleServer, 'attach'>, who: Vouched, isReadOnly = false): Client =>
  Client.create({
    server: { attach: () => server.attach(who, isReadOnly) },
    database: 'master',
    appName: 'Granary console',
    poolSize: connections,
  });

/** The clients of a user by database, the most recently used ones: others are closed. */
export class DatabaseClients {
  readonly #make: () => Client;
  readonly #clients = new Map<string, Client>();

  constructor(server: Pick<ConsoleServer, 'attach'>, who: Vouched) {
    this.#make = () => clientOf(server, who);
  }

  of(database: string): Client {
    const key = keyOf(database);
    const client = this.#clients.get(key) ?? this.#make().database(database);
    this.#clients.delete(key);
    this.#clients.set(key, client);
    const [oldest] = this.#clients;
    if (this.#clients.size > mostDatabases && oldest !== undefined) {
      this.#clients.delete(oldest[0]);
      void oldest[1].close();
    }
    return client;
  }

  async close(): Promise<void> {
    for (const client of this.#clients.values()) await client.close();
    this.#clients.clear();
  }
}

/**
 * The users that are logged in to the console, by their cookies. Kept in memory: after a restart, everybody logs in
 * again.
 */
export class Visits {
  readonly #server: ConsoleServer;
  readonly #visits = new Map<string, Visit>();
  #timer: NodeJS.Timeout | undefined;

  constructor(server: ConsoleServer) {
    this.#server = server;
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.#sweep(), 60_000).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    for (const key of [...this.#visits.keys()]) await this.end(key);
  }

  /** Begins the visit of an authenticated user; the key is for the cookie. */
  async begin(who: Vouched): Promise<{ readonly key: string; readonly visit: Visit }> {
    const own = [...this.#visits].filter(([, visit]) => visit.who.login === who.login);
    if (own.length >= mostOfLogin) await this.#endOldest(own);
    else if (this.#visits.size >= most) await this.#endOldest([...this.#visits]);
    const key = randomBytes(32).toString('base64url');
    const now = this.#now();
    const csrf = randomBytes(32).toString('base64url');
    const clients = new DatabaseClients(this.#server, who);
    const visit: Visit = { who, csrf, clients, began: now, lastSeen: now, over: new AbortController() };
    this.#visits.set(key, visit);
    return { key, visit };
  }

  /** The visit of a cookie, unless it has ended. */
  find(key: string): Visit | undefined {
    const visit = this.#visits.get(key);
    if (visit === undefined) return undefined;
    if (this.#now() >= this.ends(visit)) {
      void this.end(key);
      return undefined;
    }
    visit.lastSeen = this.#now();
    return visit;
  }

  /** When a visit ends if nothing more is asked. */
  ends({ lastSeen, began }: Visit): number {
    return Math.min(lastSeen + idleEnd, began + latestEnd);
  }

  async end(key: string): Promise<void> {
    const visit = this.#visits.get(key);
    this.#visits.delete(key);
    visit?.over.abort();
    await visit?.clients.close();
  }

  /** Ends the visits through a login. */
  async endOf(login: string): Promise<void> {
    const isOf = ({ who }: Visit) => who.through.some((name) => keyOf(name) === keyOf(login));
    for (const [key, visit] of this.#visits) if (isOf(visit)) await this.end(key);
  }

  async #sweep(): Promise<void> {
    for (const [key, visit] of this.#visits) if (this.#now() >= this.ends(visit)) await this.end(key);
  }

  async #endOldest(visits: readonly (readonly [string, Visit])[]): Promise<void> {
    const [oldest] = visits.toSorted(([, one], [, other]) => one.lastSeen - other.lastSeen);
    if (oldest !== undefined) await this.end(oldest[0]);
  }

  #now(): number {
    return this.#server.clock.now().getTime();
  }
}
