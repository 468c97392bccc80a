import { ClientError } from './client-error.ts';
import { ClientConnection } from './connection.ts';
import { type ConnectOptions, timerTime } from './options.ts';
import { Session } from './session.ts';

/** How many connections are kept, and for how long. */
export interface PoolOptions {
  /** The maximum number of connections; 10 by default. */
  readonly poolSize?: number;
  /** Milliseconds for which an idle connection is kept; 30 seconds by default. */
  readonly idleTimeout?: number;
  /** Milliseconds to wait for a free connection; 30 seconds by default. */
  readonly acquireTimeout?: number;
  /**
   * The default timeout of a request in milliseconds; none by default. Streams, which wait for their reader, have none.
   */
  readonly requestTimeout?: number;
}

interface Waiter {
  give(place: Place): void;
  fail(error: unknown): void;
}

/** A free connection, or the right to open one, which is already counted as being opened. */
type Place = ClientConnection | 'new';

interface Idle {
  readonly connection: ClientConnection;
  readonly timer: NodeJS.Timeout;
}

/**
 * The connection pool of a client for one database: connections are opened on demand and used by one request at a time.
 */
export class Pool {
  readonly #connect: ConnectOptions;
  readonly #options: Required<PoolOptions>;
  readonly #idle: Idle[] = [];
  readonly #busy = new Set<ClientConnection>();
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

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Runs work on a connection that nobody else uses meanwhile. */
  async use<T>(work: (session: Session) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.lend(await this.acquire(signal), work);
  }

  /** Runs work on an acquired connection and takes it back. */
  async lend<T>(session: Session, work: (session: Session) => Promise<T>): Promise<T> {
    try {
      const result = await work(session);
      await session.settle();
      return result;
    } finally {
      this.#release(session);
    }
  }

  /** A connection for exclusive use, to be lent. */
  async acquire(signal?: AbortSignal): Promise<Session> {
    this.#closing.signal.throwIfAborted();
    signal?.throwIfAborted();
    const free = this.#idle.pop();
    if (free !== undefined) {
      clearTimeout(free.timer);
      this.#busy.add(free.connection);
      return this.#session(free.connection);
    }
    const place = this.#reserve() ? 'new' : await this.#wait(signal);
    return this.#session(place === 'new' ? await this.#open(signal) : place);
  }

  /** Takes a connection back; one that broke, or that has an open transaction, is not reused. */
  #release(session: Session): void {
    session.end();
    const { connection } = session;
    if (!this.#busy.delete(connection)) return;
    if (!connection.isOpen || connection.inTransaction || this.isClosed) {
      connection.destroy();
      this.#giveNew();
      return;
    }
    connection.resetNext ||= session.isUsed;
    const waiter = this.#waiters.shift();
    if (waiter === undefined) this.#rest(connection);
    else {
      this.#busy.add(connection);
      waiter.give(connection);
    }
  }

  #session(connection: ClientConnection): Session {
    return new Session(connection, this.#options.requestTimeout);
  }

  /** Counts a connection that is about to be opened, if there may be another. */
  #reserve(): boolean {
    if (this.size >= this.#options.poolSize) return false;
    this.#opening += 1;
    return true;
  }

  /** Gives the place of a closed connection to a waiter. */
  #giveNew(): void {
    if (this.#waiters.length > 0 && this.#reserve()) this.#waiters.shift()?.give('new');
  }

  /** Closes every connection at once; running and later requests fail. */
  close(): void {
    if (this.#closing.signal.aborted) return;
    const error = new ClientError('closed', 'the client was closed');
    this.#closing.abort(error);
    for (const { connection, timer } of this.#idle.splice(0)) {
      clearTimeout(timer);
      connection.destroy();
    }
    for (const connection of this.#busy) {
      connection.destroy(new ClientError('closed', 'the client was closed', { sent: true }));
    }
    for (const waiter of this.#waiters.splice(0)) waiter.fail(error);
  }

  async #open(signal: AbortSignal | undefined): Promise<ClientConnection> {
    const either = signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]);
    try {
      const connection = await ClientConnection.open(this.#connect, either);
      connection.onLost = () => this.#forget(connection);
      this.#opening -= 1;
      this.#busy.add(connection);
      return connection;
    } catch (error) {
      this.#opening -= 1;
      // A waiter for this one's slot must not wait for ever.
      this.#giveNew();
      throw error;
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
      }, timerTime(acquireTimeout));
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiters.push(waiter);
    });
  }

  #rest(connection: ClientConnection): void {
    const timer = setTimeout(() => {
      this.#forget(connection);
      connection.destroy();
    }, timerTime(this.#options.idleTimeout));
    timer.unref();
    this.#idle.push({ connection, timer });
  }

  #forget(connection: ClientConnection): void {
    const at = this.#idle.findIndex((idle) => idle.connection === connection);
    if (at < 0) return;
    clearTimeout(this.#idle[at]?.timer);
    this.#idle.splice(at, 1);
  }
}
