import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../../base/log/log.ts';
import { messageOf } from '../../fault.ts';
import { HungCopies } from '../copy/hung-copies.ts';
import { isLackOfRoom, isRefusal, NoServer, translated, Unreachable } from '../errors.ts';
import { type Address, type Endpoint, parseAddress } from './address.ts';
import { Cancels } from './cancels.ts';
import { Connections } from './connections.ts';
import { findServer } from './find-server.ts';
import { hangUp, openSession, type Session, type SessionOptions } from './open-session.ts';
import type { ServerClock } from './server-clock.ts';
import { Stalls } from './stalls.ts';

/** How to reach a server. */
interface ServerOptions {
  readonly url: string;
  readonly log: Log;
  /** Milliseconds for which a call that had no effect is retried while no server is available. */
  readonly patience?: number;
  /** Milliseconds that this node may be silent in a transaction before the server ends it. */
  readonly longestRest?: number;
  /** Receives the server's time. */
  readonly clock?: ServerClock | undefined;
  /** Maximum number of connections of all databases together. */
  readonly mostConnections?: number;
}

/** Milliseconds between two attempts of one call; the first retry comes sooner. */
const longestPause = 500;

/** Milliseconds without an answer, or a connection, that are too long during shutdown. */
const hurry = 1000;

/** Takes some room in the files and in the log of a server, until the session ends. */
const takingRoom = 'create temp table granary_room as select generate_series(1, 10000) as n';

/** How often a call is retried after its connection was lost: the call itself may be what crashes the server. */
const mostLosses = 3;

/**
 * The PostgreSQL server that all connections of an engine use: which of its endpoints is active, and whether it was
 * lost.
 */
export class Server {
  readonly log: Log;
  readonly longestRest: number;
  readonly stalls = new Stalls(this);
  readonly hungCopies = new HungCopies(this);
  readonly connections: Connections;
  readonly #cancels = new Cancels(this);
  readonly #patience: number;
  readonly #url: string;
  readonly #clock: ServerClock | undefined;
  #address: Address | undefined;
  #serving: Endpoint | undefined;
  /** Incremented whenever a connection is lost: connections opened before may be dead without knowing. */
  #losses = 0;
  #hasGivenUp = false;
  #absence: string | undefined;
  #lackOfRoom: string | undefined;

  constructor(options: ServerOptions) {
    const { url, log, patience = 30_000, longestRest = 10_000, clock } = options;
    this.connections = new Connections(options.mostConnections ?? Number.POSITIVE_INFINITY);
    this.#clock = clock;
    this.#url = url;
    this.log = log;
    this.#patience = patience;
    this.longestRest = longestRest;
  }

  get address(): Address {
    this.#address ??= parseAddress(this.#url);
    return this.#address;
  }

  /** Why the last connection attempt failed; undefined if it succeeded. */
  get absence(): string | undefined {
    return this.#absence;
  }

  /** How often connections were lost so far. */
  get losses(): number {
    return this.#losses;
  }

  /** From now on no caller waits for an unavailable server. */
  giveUp(): void {
    this.#hasGivenUp = true;
    const { connectTimeout, silence } = this.address;
    const [soon, sooner] = [Math.min(connectTimeout, hurry), Math.min(silence, hurry)];
    this.#address = { ...this.address, connectTimeout: soon, silence: sooner };
  }

  /** Whether to keep waiting for a server, for a caller that has waited since then, by `performance.now()`. */
  isWorthWaiting(since: number): boolean {
    return !this.#hasGivenUp && performance.now() - since < this.#patience;
  }

  /** Records that a connection was lost. */
  lost(): void {
    this.#losses++;
  }

  /** Records that a statement found no room. */
  ranOut(message: string): void {
    this.#lackOfRoom = `PostgreSQL has no room: ${message}`;
  }

  /** Why writes fail at present, as far as some have failed before: a new session tries whether they still do. */
  async refusal(): Promise<string | undefined> {
    if (this.#absence === undefined && this.#lackOfRoom === undefined) return undefined;
    await this.once({ settings: {} }, ({ client }) => client.query(takingRoom)).then(
      () => {
        this.#lackOfRoom = undefined;
      },
      (error: unknown) => {
        if (!isLackOfRoom(error)) this.#lackOfRoom = undefined;
      },
    );
    return this.#absence ?? this.#lackOfRoom;
  }

  /** Opens a session where the last one was opened, or else at the first acceptable endpoint. */
  async connect(options: SessionOptions): Promise<Session> {
    try {
      const session = await findServer(this.address, this.#order(), options);
      this.#moved(session.endpoint);
      this.#absence = undefined;
      this.#clock?.heard(session.moment);
      return session;
    } catch (error) {
      const known = translated(error, 'connect');
      // A starting server reports at once what nobody should wait for. For a running server, a changed password or an
      // expired certificate is one more reason why PostgreSQL is unavailable until somebody corrects it.
      const isAway = known instanceof Unreachable || (this.#serving !== undefined && isRefusal(known));
      if (!isAway) throw known;
      this.#absence = `PostgreSQL cannot be reached: ${messageOf(known.cause) || 'no answer'}`;
      throw new NoServer(known.cause);
    }
  }

  /** Runs work on a session of its own, which is closed afterwards. */
  async once<T>(options: SessionOptions, work: (session: Session) => Promise<T>): Promise<T> {
    const session = await this.connect(options);
    try {
      return await work(session);
    } finally {
      await hangUp(session.client);
    }
  }

  /** Retries work that a lost server has rolled back, until the caller's patience ends. */
  async patiently<T>(
    run: () => Promise<T>,
    { signal, again = () => true }: { readonly signal?: AbortSignal | undefined; again?(): boolean } = {},
  ): Promise<T> {
    const since = performance.now();
    for (let tries = 1, losses = 0; ; tries++) {
      try {
        return await run();
      } catch (error) {
        if (!(error instanceof Unreachable) || signal?.aborted === true || !again()) throw error;
        if (!(error instanceof NoServer)) losses++;
        if (losses > mostLosses || !this.isWorthWaiting(since)) throw error;
        await delay(Math.min(longestPause, 20 * 2 ** tries), undefined, signal === undefined ? {} : { signal });
      }
    }
  }

  #order(): readonly Endpoint[] {
    const { endpoints, shuffled } = this.address;
    const order = shuffled ? endpoints.toSorted(() => Math.random() - 0.5) : endpoints;
    const known = order.find(({ host, port }) => host === this.#serving?.host && port === this.#serving.port);
    return known === undefined ? order : [known, ...order.filter((endpoint) => endpoint !== known)];
  }

  #moved(endpoint: Endpoint): void {
    const before = this.#serving;
    this.#serving = endpoint;
    if (before === undefined || (before.host === endpoint.host && before.port === endpoint.port)) return;
    this.log.warn('PostgreSQL failed over to another server', { host: endpoint.host, port: endpoint.port });
  }

  /** Cancels what a session is doing. */
  cancel(session: Session): Promise<void> {
    return this.#cancels.cancel(session);
  }

  /** Runs work on another session with the same server that serves a given session. */
  async beside<T>(
    { endpoint, at }: Pick<Session, 'endpoint' | 'at'>,
    work: (session: Session) => Promise<T>,
  ): Promise<T> {
    const address: Address = { ...this.address, wish: 'any' };
    const session = await openSession(address, { name: endpoint.host, at }, { settings: {} });
    const limit = setTimeout(() => session.client.connection.stream.destroy(), address.connectTimeout);
    try {
      return await work(session);
    } finally {
      clearTimeout(limit);
      await hangUp(session.client);
    }
  }
}
