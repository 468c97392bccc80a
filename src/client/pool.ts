import { ClientError } from './client-error.ts';
import { ClientConnection } from './connection.ts';
import type { ConnectOptions } from './options.ts';
import { Session } from './session.ts';

/** How many connections are kept, and for how long. */
export interface PoolOptions {
  /** The maximum number of connections; 10 by default. */
  readonly poolSize?: number;
  /** Milliseconds for which an idle connection is kept; 30 seconds by default. */
  readonly idleTimeout?: number;
  /** Milliseconds to wait for a free connection; 30 seconds by default. */
  readonly acquireTimeout?: number;
  /** The default timeout of a request in milliseconds; none by default. Streams, which wait for their reader, have none. */
  readonly requestTimeout?: number;
}

interface Waiter {
  give(place: Place): void;
  fail(error: unknown): void;
}

/** A free connection, or the right to open one. */
type Place = Session | 'new';

interface Idle {
  readonly session: Session;
  readonly timer: NodeJS.Timeout;
}

/**
 * The connection pool of a client for one database: connections are opened on demand and used by one request at a time.
 */
export class Pool {
  readonly #connect: ConnectOptions;
  readonly #options: Required<PoolOptions>;
  readonly #idle: Idle[] = [];
  readonly #busy = new Set<Session>();
  readonly #waiters: Waiter[] = [];
  readonly #closing = new AbortController();
  #opening = 0;

  constructor(connect: ConnectOptions, options: PoolOptions) {
    this.#connect = connect;
    const { poolSize = 10, idleTimeout = 30_000, acquireTimeout = 30_000, requestTimeout = 0 } = options;
    this.#options = { poolSize, idleTimeout, acquireTimeout, requestTimeout };
  }

  /** How many connections there are. */
  get size(): number {
    return this.#idle.length + this.#busy.size + this.#opening;
  }

  /** Runs work on a connection that nobody else uses meanwhile. */
  async use<T>(work: (session: Session) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const session = await this.acquire(signal);
    try {
      return await work(session);
    } finally {
      this.release(session);
    }
  }

  /** A connection for exclusive use until it is released. */
  async acquire(signal?: AbortSignal): Promise<Session> {
    this.#closing.signal.throwIfAborted();
    signal?.throwIfAborted();
    const free = this.#idle.pop();
    if (free !== undefined) {
      clearTimeout(free.timer);
      this.#busy.add(free.session);
      return free.session;
    }
    const place = this.size < this.#options.poolSize ? 'new' : await this.#wait(signal);
    return place === 'new' ? this.#open(signal) : place;
  }

  /** Returns a connection; one that broke, or that has an open transaction, is not reused. */
  release(session: Session): void {
    if (!this.#busy.delete(session)) return;
    const { connection } = session;
    if (!connection.isOpen || connection.inTransaction || this.#closing.signal.aborted) {
      connection.destroy();
      this.#waiters.shift()?.give('new');
      return;
    }
    connection.resetNext ||= session.isUsed;
    session.isUsed = false;
    const waiter = this.#waiters.shift();
    if (waiter === undefined) this.#rest(session);
    else {
      this.#busy.add(session);
      waiter.give(session);
    }
  }

  /** Closes every connection at once; running and later requests fail. */
  close(): void {
    if (this.#closing.signal.aborted) return;
    const error = new ClientError('closed', 'the client was closed');
    this.#closing.abort(error);
    for (const { session, timer } of this.#idle.splice(0)) {
      clearTimeout(timer);
      session.connection.destroy();
    }
    for (const session of this.#busy) {
      session.connection.destroy(new ClientError('closed', 'the client was closed', { sent: true }));
    }
    for (const waiter of this.#waiters.splice(0)) waiter.fail(error);
  }

  async #open(signal: AbortSignal | undefined): Promise<Session> {
    this.#opening += 1;
    const either = signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]);
    try {
      const connection = await ClientConnection.open(this.#connect, either);
      const session = new Session(connection, this.#options.requestTimeout);
      connection.onLost = () => this.#forget(session);
      this.#busy.add(session);
      return session;
    } catch (error) {
      // A waiter for this one's slot must not wait for ever.
      this.#waiters.shift()?.give('new');
      throw error;
    } finally {
      this.#opening -= 1;
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<Place> {
    return new Promise((resolve, reject) => {
      const { acquireTimeout, poolSize } = this.#options;
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        const at = this.#waiters.indexOf(waiter);
        if (at >= 0) this.#waiters.splice(at, 1);
      };
      const waiter: Waiter = {
        give: (place) => {
          end();
          resolve(place);
        },
        fail: (error) => {
          end();
          reject(error);
        },
      };
      const onAbort = () => waiter.fail(signal?.reason);
      const timer = setTimeout(() => {
        const text = `none of ${poolSize} connections became free within ${acquireTimeout} milliseconds`;
        waiter.fail(new ClientError('timeout', text));
      }, acquireTimeout);
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiters.push(waiter);
    });
  }

  #rest(session: Session): void {
    const timer = setTimeout(() => {
      this.#forget(session);
      session.connection.destroy();
    }, this.#options.idleTimeout);
    timer.unref();
    this.#idle.push({ session, timer });
  }

  #forget(session: Session): void {
    const at = this.#idle.findIndex((idle) => idle.session === session);
    if (at < 0) return;
    clearTimeout(this.#idle[at]?.timer);
    this.#idle.splice(at, 1);
  }
}
