import { sqlError } from '../../../base/messages/sql-error.ts';
import type { Shape } from '../../../base/stored.ts';
import type { Db } from '../../db.ts';
import { closing } from '../../fault.ts';
import type { Sql } from '../../sql.ts';
import { Connection } from '../connection.ts';
import { SqliteDb } from '../db.ts';
import { Barrier } from '../log/barrier.ts';
import type { Reads } from '../log/clearing.ts';
import type { LogSync } from '../log/log-sync.ts';

/**
 * The number of connections that short reads share, which each need one for microseconds. Only if none becomes free by
 * the next turn of the event loop, because their readers are slow, is another opened, up to `mostReaders`, and closed
 * after use.
 */
const shared = 8;
/** The maximum number of open connections. */
export const mostReaders = 256;

/** The connection pool of a database's readers, each with its own snapshot. */
export class Readers implements Reads {
  readonly #path: string;
  readonly #sync: LogSync;
  readonly #idle: Connection[] = [];
  readonly #waiting: ((connection: Connection | Error) => void)[] = [];
  /**
   * The connections that hold a snapshot, the oldest first, with the work that is done on each: undefined before it
   * starts, and after it has ended on a snapshot that is kept for the rest of the turn.
   */
  readonly #busy = new Map<Connection, SqliteDb | undefined>();
  /**
   * The most recent snapshot of this turn of the event loop, the number of commits when it was taken, and whether its
   * reader has finished. Requests that arrived in the same turn share it one after another, because taking a snapshot
   * costs more than most of them do with it. Before the turn ends, nobody can have learned of a commit of another
   * process.
   */
  #latest: { readonly connection: Connection; readonly commits: number; isFree: boolean } | undefined;
  #turnEnd: NodeJS.Immediate | undefined;
  #opening: NodeJS.Immediate | undefined;
  #stopped = false;
  /** Down for a moment when the log is to restart. */
  readonly #barrier = new Barrier();

  constructor(path: string, sync: LogSync) {
    this.#path = path;
    this.#sync = sync;
  }

  /** The number of connections that are being read from. */
  get busy(): number {
    return this.#busy.size - (this.#latest?.isFree === true ? 1 : 0);
  }

  async read<T>(work: (db: Db) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#barrier.isDown !== undefined) await this.#barrier.isDown;
    signal?.throwIfAborted();
    const connection = this.#takeLatest() ?? this.#take() ?? (await this.#nextFree(signal));
    const db = new SqliteDb(connection, 'streamed', signal);
    this.#busy.set(connection, db);
    try {
      const onDisk = this.#takeSnapshot(connection);
      if (onDisk) await onDisk;
      return await work(db);
    } finally {
      this.#leave(connection, db);
    }
  }

  /** The rows of one query, which needs no snapshot beyond its own; nothing else runs in between. */
  async few(shape: Shape, query: Sql, signal?: AbortSignal): Promise<readonly (readonly unknown[])[]> {
    signal?.throwIfAborted();
    const connection = this.#take() ?? (await this.#nextFree(signal));
    try {
      const rows = new SqliteDb(connection, 'gathered', signal).few(shape, query);
      const seen = this.#sync.seen();
      if (seen !== undefined) await seen;
      return rows;
    } finally {
      if (!this.#stopped) this.#giveBack(connection);
    }
  }

  /** A snapshot that stays open until `end`; `before` is called right before it is taken. */
  async hold(before: () => void, signal?: AbortSignal): Promise<{ readonly db: SqliteDb; end(): void }> {
    await this.#barrier.isDown;
    signal?.throwIfAborted();
    const connection = this.#take() ?? (await this.#nextFree(signal));
    const db = new SqliteDb(connection, 'guarded');
    this.#busy.set(connection, db);
    try {
      before();
      const onDisk = this.#takeSnapshot(connection);
      if (onDisk) await onDisk;
      return { db, end: () => this.#leave(connection, db) };
    } catch (error) {
      this.#leave(connection, db);
      throw error;
    }
  }

  /**
   * Takes a snapshot if the connection has none. Returns a promise if what it shows is not on disk yet: no answer may
   * be sent before it is.
   */
  #takeSnapshot(connection: Connection): Promise<void> | undefined {
    if (!connection.inTransaction) {
      connection.snapshot();
      const before = this.#latest;
      this.#latest = { connection, commits: this.#sync.commits, isFree: false };
      if (before?.isFree === true) this.#giveBack(before.connection);
      this.#turnEnd ??= setImmediate(() => this.#endTurn());
    }
    return this.#sync.seen();
  }

  /** The latest snapshot of this turn, if its reader has finished and nothing has been committed since. */
  #takeLatest(): Connection | undefined {
    const latest = this.#latest;
    if (latest?.isFree !== true) return undefined;
    if (latest.commits !== this.#sync.commits) {
      this.#latest = undefined;
      this.#giveBack(latest.connection);
      return undefined;
    }
    latest.isFree = false;
    return latest.connection;
  }

  #endTurn(): void {
    this.#turnEnd = undefined;
    const latest = this.#latest;
    this.#latest = undefined;
    if (latest?.isFree === true) this.#giveBack(latest.connection);
  }

  #leave(connection: Connection, db: SqliteDb): void {
    db.end();
    if (this.#busy.get(connection) !== db || this.#stopped) return;
    if (this.#latest?.connection !== connection || this.#waiting.length > 0) this.#giveBack(connection);
    else {
      this.#busy.set(connection, undefined);
      this.#latest.isFree = true;
    }
  }

  /**
   * Rejects waiting readers and aborts running ones: a consumer that has stalled would otherwise keep the file open
   * forever.
   */
  stop(): void {
    this.#stopped = true;
    this.#barrier.raise();
    clearImmediate(this.#opening);
    clearImmediate(this.#turnEnd);
    this.#latest = undefined;
    for (const next of this.#waiting.splice(0)) next(closing());
    for (const [connection, db] of this.#busy) {
      db?.end();
      connection.close();
    }
    for (const connection of this.#idle.splice(0)) connection.close();
  }

  *running(): Iterable<object> {
    for (const db of this.#stopped ? [] : this.#busy.values()) if (db !== undefined) yield db;
  }

  isRunning(read: object): boolean {
    return this.#connectionOf(read) !== undefined;
  }

  /** Ends a read and its snapshot: its reader gets error 3966. */
  cut(read: object): void {
    const [connection, db] = this.#connectionOf(read) ?? [];
    if (connection === undefined) return;
    this.#busy.delete(connection);
    db?.cut(sqlError(3966));
    connection.close();
    if (this.#waiting.length > 0) this.#opening ??= setImmediate(() => this.#open());
  }

  #connectionOf(read: object): [Connection, SqliteDb | undefined] | undefined {
    return this.#stopped ? undefined : this.#busy.entries().find(([, db]) => db === read);
  }

  holdBack(): void {
    if (!this.#stopped) this.#barrier.lower();
  }

  letIn(): void {
    this.#barrier.raise();
  }

  #take(): Connection | undefined {
    if (this.#stopped) throw closing();
    if (this.#idle.length === 0 && this.busy >= shared) return undefined;
    // The most recently used connection has the warmest cache.
    const connection = this.#idle.pop() ?? new Connection(this.#path, 'reader');
    this.#busy.set(connection, undefined);
    return connection;
  }

  /** Opens a connection for the reader that has waited longest, since the others are in use for long. */
  #open(): void {
    this.#opening = undefined;
    const next = this.#waiting[0];
    if (next === undefined || this.#busy.size >= mostReaders) return;
    this.#waiting.shift();
    try {
      const connection = new Connection(this.#path, 'reader');
      this.#busy.set(connection, undefined);
      next(connection);
    } catch (error) {
      next(error instanceof Error ? error : new Error(String(error)));
    }
    if (this.#waiting.length > 0) this.#opening = setImmediate(() => this.#open());
  }

  #nextFree(signal: AbortSignal | undefined): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const next = (connection: Connection | Error) => {
        signal?.removeEventListener('abort', abort);
        if (connection instanceof Error) reject(connection);
        else resolve(connection);
      };
      const abort = () => {
        this.#waiting.splice(this.#waiting.indexOf(next), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiting.push(next);
      this.#opening ??= setImmediate(() => this.#open());
    });
  }

  #giveBack(connection: Connection): void {
    try {
      connection.endSnapshot();
    } catch (error) {
      this.#busy.delete(connection);
      connection.close();
      if (this.#waiting.length > 0) this.#opening ??= setImmediate(() => this.#open());
      throw error;
    }
    const next = this.#waiting.shift();
    if (next !== undefined) {
      this.#busy.set(connection, undefined);
      next(connection);
      return;
    }
    this.#busy.delete(connection);
    if (this.#idle.length < shared) this.#idle.push(connection);
    else connection.close();
  }
}
