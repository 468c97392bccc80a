import type { Log } from '../../base/log/log.ts';
import type { Shape } from '../../base/stored.ts';
import type { Database, Db, LockWait, ReadOptions, Snapshot, Transaction, WriteOptions } from '../db.ts';
import { type DatabaseFigures, type Measured, WriteFigures } from '../figures.ts';
import type { Sql } from '../sql.ts';
import type { Connection } from './connection.ts';
import type { FarProcesses } from './far/far-process.ts';
import type { Checkpointer } from './log/checkpointer.ts';
import { Checkpoints } from './log/checkpoints.ts';
import { Clearing } from './log/clearing.ts';
import { LogRoom } from './log/log-room.ts';
import { type FileSync, LogSync } from './log/log-sync.ts';
import { LongReads } from './reads/long-reads.ts';
import { mostReaders, Readers } from './reads/readers.ts';
import { SqliteSnapshot } from './reads/snapshot.ts';
import { Writer } from './writes/writer.ts';

/** What a database is opened with. */
interface SqliteDatabaseOptions {
  readonly name: string;
  readonly kind: string;
  /** The writer's connection, migrated. */
  readonly connection: Connection;
  readonly checkpointer: Checkpointer;
  /** The processes that run reads and writes that take too long here. */
  readonly farReaders: FarProcesses;
  readonly farWriters: FarProcesses;
  readonly log: Log;
  /** Bytes of the log past which snapshots that keep it from starting over are aborted. */
  readonly longestLog?: number;
  /** Milliseconds for which reads may continue when the log is to restart. */
  readonly patience?: number | undefined;
  /** Called when the log could not be synced; after that nothing is acknowledged any more. */
  lost?(error: Error): void;
  /** How the log is synced; tests pass one that they can delay. */
  readonly file?: FileSync;
  /**
   * A clock in milliseconds; tests that count groups pass a stopped one, since that of a busy machine does not stop.
   */
  readonly time?: () => number;
}

/** Snapshots reserved for the server itself. */
const ownReaders = 8;

/** A SQLite file with one writer and many readers. */
export class SqliteDatabase implements Database, Measured {
  readonly name: string;
  readonly kind: string;
  readonly mostReaders = mostReaders - ownReaders;
  // Only one runs at a time; the others wait for its lock.
  readonly mostTransactions = Number.POSITIVE_INFINITY;
  readonly #connection: Connection;
  readonly #sync: LogSync;
  readonly #checkpoints: Checkpoints;
  /** The number of open snapshots that may become transactions. */
  #held = 0;
  readonly #readers: Readers;
  readonly #longReads: LongReads;
  readonly #writer: Writer;
  readonly #writes = new WriteFigures();

  constructor({
    name,
    kind,
    connection,
    checkpointer,
    farReaders,
    farWriters,
    log,
    longestLog,
    patience,
    file,
    time,
    lost,
  }: SqliteDatabaseOptions) {
    this.name = name;
    this.kind = kind;
    this.#connection = connection;
    this.#sync = new LogSync(connection.path, this.#writes.syncs, file, time);
    if (lost !== undefined) this.#sync.onFailure = lost;
    connection.onFailedSync = (cause) => this.#sync.fail(cause);
    this.#readers = new Readers(connection.path, this.#sync);
    this.#longReads = new LongReads(connection.path, this.#sync, farReaders);
    this.#checkpoints = new Checkpoints(connection, checkpointer, log, {
      longest: longestLog,
      clearing: new Clearing(this.#longReads, this.#readers, patience),
      isHeld: () => this.#held > 0,
      isWriting: () => this.#writer.isRunning,
    });
    this.#writer = new Writer({
      connection,
      sync: this.#sync,
      checkpoints: this.#checkpoints,
      room: new LogRoom(connection.path),
      farProcesses: farWriters,
      groups: this.#writes.groups,
      time,
    });
  }

  read<T>(work: (db: Db) => Promise<T>, { signal, work: amount = 'little' }: ReadOptions = {}): Promise<T> {
    return this.#longReads.takes(amount) ? this.#longReads.read(work, signal) : this.#readers.read(work, signal);
  }

  few(shape: Shape, query: Sql, signal?: AbortSignal): Promise<readonly (readonly unknown[])[]> {
    return this.#readers.few(shape, query, signal);
  }

  write<T>(work: (db: Db) => Promise<T>, options?: WriteOptions): Promise<T> {
    return this.#writer.write(work, options);
  }

  async waits(): Promise<readonly LockWait[]> {
    return this.#writer.waits();
  }

  figures(): DatabaseFigures {
    return {
      name: this.name,
      queue: this.#writer.waiting,
      writes: this.#writes,
      readers: this.#readers.busy + this.#longReads.busy,
      checkpoints: this.#checkpoints.figures,
    };
  }

  begin(options?: WriteOptions): Promise<Transaction> {
    return this.#writer.begin(options);
  }

  async hold({ signal }: { readonly signal?: AbortSignal }): Promise<Snapshot> {
    while (this.#checkpoints.beginning !== undefined) await this.#checkpoints.beginning;
    this.#held++;
    try {
      return await SqliteSnapshot.take(this.name, this.#readers, this.#writer, () => this.#held--, signal);
    } catch (error) {
      this.#held--;
      throw error;
    }
  }

  /** Aborts the readers, lets the running call finish, and closes the file. */
  async close(): Promise<void> {
    this.#readers.stop();
    this.#longReads.stop();
    await this.#writer.stop();
    await this.#checkpoints.stop();
    this.#sync.close();
    this.#connection.close();
  }
}
