import { setTimeout as delay } from 'node:timers/promises';
import { sqlError } from '../../base/messages/sql-error.ts';
import type { Shape } from '../../base/stored.ts';
import type { Database, Db, LockWait, ReadOptions, Snapshot, Transaction, WriteOptions } from '../db.ts';
import { type DatabaseFigures, type Measured, WriteFigures } from '../figures.ts';
import type { WriteJob } from '../job.ts';
import { systemKind } from '../own-schema.ts';
import type { Sql } from '../sql.ts';
import { Pool } from './connect/pool.ts';
import type { Server } from './connect/server.ts';
import type { Patience } from './connect/slots.ts';
import { PostgresDb } from './db.ts';
import { Conflict, isLockTimeout, Unreachable } from './errors.ts';
import { type Habit, Habits, WorkingTime } from './groups/habits.ts';
import { Lane, longestRowWait } from './groups/lane.ts';
import { beginClient, beginReading, beginScanning, beginSnapshot, beginWriting } from './locks/gate.ts';
import { lockWaits } from './locks/lock-waits.ts';
import { Lookups } from './reads/lookups.ts';
import { PostgresSnapshot } from './reads/snapshot.ts';
import { Snapshots } from './reads/snapshots.ts';
import { commit, PostgresTransaction } from './transaction.ts';
import type { Link } from './wire/link.ts';

/**
 * The number of attempts of a call concurrent with others; after those it runs exclusively, so that nothing can
 * conflict with it.
 */
const triesTogether = 4;
const mostTries = 10;

/** How long a call that holds the gate waits for a row before it releases the gate to others, in milliseconds. */
const longestStep = 250;

/** Connections reserved for reads of the server itself. */
const ownReaders = 2;

/** Connections for short reads that share snapshots, and as many again for reads of a single statement. */
const sharedReaders = 4;

/**
 * Calls read little, whatever the planner estimates for a table that has just grown: starting a parallel worker takes
 * longer than the whole statement (measured: 6 ms instead of 0.4).
 */
const byItself = { max_parallel_workers_per_gather: '0' };

/** Statement timeout for calls that are expected to be short: no longer than a client would wait. */
const shortStatements = { ...byItself, statement_timeout: '60s' };

/** The options of a database. */
interface PostgresDatabaseOptions {
  readonly name: string;
  readonly kind: string;
  readonly server: Server;
  readonly schema: string;
  readonly poolSize: number;
}

/** A PostgreSQL schema. */
export class PostgresDatabase implements Database, Measured {
  readonly name: string;
  readonly kind: string;
  readonly mostReaders: number;
  readonly mostTransactions: number;
  readonly #server: Server;
  /** Separate, so that writers waiting for a lock never take a reader's connection. */
  readonly #readers: Pool;
  readonly #writers: Pool;
  /** Clients' own transactions; separate, so that idle ones never take a call's connection. */
  readonly #clients: Pool;
  /** One connection for groups of short calls: these run one after another, so they never conflict with each other. */
  readonly #sharedWrites: Pool;
  readonly #sharedReads: Pool;
  readonly #lookingUp: Pool;
  readonly #lane: Lane;
  readonly #snapshots: Snapshots;
  readonly #lookups: Lookups;
  readonly #habits = new Habits();
  readonly #writes = new WriteFigures();
  readonly #transactions = new Set<PostgresTransaction>();

  constructor({ name, kind, server, schema, poolSize }: PostgresDatabaseOptions) {
    // A timeout that PostgreSQL enforces itself, so that a node that freezes during a call, while holding the gate,
    // blocks others for no longer. Hardly any time passes between two statements of a call, and during a client's
    // transaction the node sends keepalives.
    const brief = { idle_in_transaction_session_timeout: String(server.longestRest) };
    const short = { ...brief, ...shortStatements };
    this.name = name;
    this.kind = kind;
    this.mostReaders = poolSize;
    // A single login may use at most three quarters of them.
    this.mostTransactions = Math.ceil((poolSize * 4) / 3);
    this.#server = server;
    // Authentication and authorization must not depend on what clients hold.
    const isOwn = kind === systemKind;
    const purpose = isOwn ? 'own' : 'lasting';
    const shared = { purpose: isOwn ? 'own' : 'brief', pipeline: true } as const;
    this.#readers = new Pool(server, schema, poolSize + ownReaders, { purpose });
    this.#writers = new Pool(server, schema, Math.max(2, Math.ceil(poolSize / 2)), {
      purpose,
      settings: { ...brief, ...byItself },
    });
    this.#clients = new Pool(server, schema, this.mostTransactions, { purpose, settings: brief });
    this.#sharedWrites = new Pool(server, schema, 1, {
      ...shared,
      settings: { ...short, lock_timeout: String(longestRowWait), default_transaction_isolation: 'read committed' },
    });
    this.#sharedReads = new Pool(server, schema, sharedReaders, { ...shared, settings: short });
    this.#snapshots = new Snapshots(this.#sharedReads);
    const readOnly = { ...short, default_transaction_read_only: 'on' };
    this.#lookingUp = new Pool(server, schema, sharedReaders, { ...shared, settings: readOnly });
    this.#lookups = new Lookups(this.#lookingUp, sharedReaders);
    this.#lane = new Lane(server, this.#sharedWrites, this.#habits, this.#writes, (job) => this.#runAlone(job));
  }

  async read<T>(work: (db: Db) => Promise<T>, { signal, like, work: amount = 'little' }: ReadOptions = {}): Promise<T> {
    const time = new WorkingTime();
    const timed = (db: Db) => time.of(() => work(db));
    try {
      return await this.#ownSnapshot(timed, signal, amount === 'little' ? beginReading : beginScanning);
    } finally {
      if (like !== undefined) this.#habits.of(like).note(time.longest, false);
    }
  }

  few(shape: Shape, query: Sql, signal?: AbortSignal): Promise<readonly (readonly unknown[])[]> {
    return this.#server.patiently(
      () =>
        this.#readers.use(signal === undefined ? {} : { signal }, (link) =>
          new PostgresDb(link, 'gathered', signal).few(shape, query),
        ),
      { signal },
    );
  }

  async readBriefly<T>(
    work: (db: Db) => Promise<T>,
    { signal, like }: ReadOptions,
  ): Promise<{ readonly value: T } | undefined> {
    const habit = like && this.#habits.of(like);
    if (habit === undefined || !habit.sociable) return undefined;
    if (habit.isLookup === true) {
      const found = await this.#lookups.read(work, signal, habit);
      if (found !== undefined || !habit.sociable) return found;
    }
    const read = await this.#snapshots.read(work, signal, habit).catch((error: unknown) => {
      // The caller then runs it separately, and waits for the server to come back.
      if (error instanceof Unreachable) return undefined;
      throw error;
    });
    if (read === undefined) habit.note(0, true);
    return read;
  }

  #ownSnapshot<T>(work: (db: Db) => Promise<T>, signal: AbortSignal | undefined, begin: readonly string[]): Promise<T> {
    let isHandedOn = false;
    const run = () =>
      this.#readers.use(signal === undefined ? {} : { signal }, async (link) => {
        const db = new PostgresDb(link, 'streamed', signal);
        try {
          await link.begin(begin, signal);
          return await work(db);
        } finally {
          isHandedOn = db.answered;
          db.end();
          await link.rollback();
        }
      });
    return this.#server.patiently(run, { signal, again: () => !isHandedOn });
  }

  write<T>(work: (db: Db) => Promise<T>, options: WriteOptions = {}): Promise<T> {
    const { like, byRows = false } = options;
    if (like === undefined) return this.#ownTransaction(work, options);
    const habit = this.#habits.of(like);
    return habit.sociable && !(byRows === true && habit.isLong)
      ? this.#lane.write(work, { ...options, like })
      : this.#apart(work, options, habit);
  }

  #runAlone(job: WriteJob<unknown>): void {
    job.runBy((work) => this.#ownTransaction(work, job.options));
  }

  /** Runs a call separately, so that others do not wait for it: it is long, or its kind was slow or failed recently. */
  async #apart<T>(work: (db: Db) => Promise<T>, options: WriteOptions, habit: Habit): Promise<T> {
    const time = new WorkingTime();
    const timed = async (db: Db): Promise<T> => {
      const value = await time.of(() => work(db));
      habit.worked(time.last);
      return value;
    };
    try {
      return await this.#ownTransaction(timed, options);
    } finally {
      habit.note(time.longest, false);
    }
  }

  async #ownTransaction<T>(work: (db: Db) => Promise<T>, options: WriteOptions): Promise<T> {
    const { serial = false, byRows = false, who } = options;
    const patience = patienceOf(options);
    const since = performance.now();
    for (let tries = 1; ; tries += 1) {
      const alone = tries > triesTogether;
      const run = () =>
        this.#letOthersPass(patience, (link) => {
          link.serve([who], since);
          return attempt(link, work, { alone, serial, byRows: byRows === true }, patience, this.#writes);
        });
      const outcome = await this.#server.patiently(run, patience);
      if ('value' in outcome) return outcome.value;
      if (tries >= mostTries) throw sqlError(1205, who ?? 0, 'lock');
      // Random backoff, so that calls that conflicted do not conflict again.
      if (!alone) await delay(Math.random() * 2 ** tries);
    }
  }

  /**
   * Retries a call that waits for a row locked by a client's transaction: while waiting it holds the gate, which would
   * block any exclusive call and everyone queued behind that.
   */
  async #letOthersPass<T>(patience: Patience, run: (link: Link) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await this.#writers.use(patience, run);
      } catch (error) {
        if (!isLockTimeout(error) || (patience.until ?? Number.POSITIVE_INFINITY) <= performance.now()) throw error;
      }
    }
  }

  async waits(): Promise<readonly LockWait[]> {
    const working = [this.#clients, this.#writers, this.#sharedWrites, this.#readers].flatMap(({ links }) => [
      ...links,
    ]);
    if (working.length < 2) return [];
    return this.#readers.use({}, (link) => lockWaits(link, working));
  }

  figures(): DatabaseFigures {
    const pools = [
      this.#readers.figures('reads'),
      this.#writers.figures('writes'),
      this.#clients.figures('transactions'),
      this.#sharedWrites.figures('shared_writes'),
      this.#sharedReads.figures('shared_reads'),
      this.#lookingUp.figures('lookups'),
    ];
    const { waiting } = this.#lane;
    const queue = waiting + this.#writers.figures('').waiting + this.#clients.figures('').waiting;
    const readers = [...this.#readers.links].length;
    return { name: this.name, queue, writes: this.#writes, readers, pools };
  }

  async begin(options: WriteOptions = {}): Promise<Transaction> {
    const { serial = false, who } = options;
    const patience = patienceOf(options);
    const statements = () => beginClient({ serial, ...lockTimeoutOf(patience) });
    const link = await this.#begun(this.#clients, statements, patience, who);
    return this.#transactionOn(link, this.#clients, serial);
  }

  /** Returns a connection on which a transaction has been begun. */
  #begun(pool: Pool, statements: () => readonly string[], patience: Patience, who?: number): Promise<Link> {
    return this.#server.patiently(async () => {
      const link = await pool.take(patience);
      link.serve([who]);
      try {
        await link.begin(statements(), patience.signal);
        return link;
      } catch (error) {
        await link.rollback();
        pool.giveBack(link, link.broken);
        throw error;
      }
    }, patience);
  }

  #transactionOn(link: Link, pool: Pool, isSerial: boolean): PostgresTransaction {
    const transaction = new PostgresTransaction(link, { database: this.name, isSerial }, () => {
      this.#transactions.delete(transaction);
      pool.giveBack(link, link.broken);
    });
    this.#transactions.add(transaction);
    return transaction;
  }

  async hold({ serializable, signal }: { serializable: boolean; signal?: AbortSignal }): Promise<Snapshot> {
    const link = await this.#begun(
      this.#readers,
      () => beginSnapshot(serializable, this.#server.longestRest),
      signal === undefined ? {} : { signal },
    );
    return new PostgresSnapshot(
      link,
      (isSerial) => this.#transactionOn(link, this.#readers, isSerial),
      () => this.#readers.giveBack(link, link.broken),
    );
  }

  /** Rolls back clients' open transactions, aborts reads, lets writing calls finish, and closes the connections. */
  async close(): Promise<void> {
    await Promise.all([...this.#transactions].map((transaction) => transaction.rollback()));
    await Promise.all([
      this.#lane.stop(),
      this.#readers.close({ cut: true }),
      this.#writers.close({ cut: false }),
      this.#clients.close({ cut: false }),
      this.#sharedWrites.close({ cut: false }),
      this.#sharedReads.close({ cut: true }),
      this.#lookingUp.close({ cut: true }),
    ]);
  }
}

/** Runs work once in a transaction: returns its value if it was committed, or a conflict if it may be retried. */
async function attempt<T>(
  link: Link,
  work: (db: Db) => Promise<T>,
  gate: { readonly alone: boolean; readonly serial: boolean; readonly byRows: boolean },
  patience: Patience,
  figures: WriteFigures,
): Promise<{ readonly value: T } | { readonly conflict: Conflict }> {
  const db = new PostgresDb(link, 'gathered', patience.signal);
  try {
    const { lockTimeout = longestStep } = lockTimeoutOf(patience);
    const rowTimeout = Math.min(lockTimeout, longestStep);
    await link.begin(beginWriting({ ...gate, ...lockTimeoutOf(patience), rowTimeout }), patience.signal);
    const value = await work(db);
    if (db.failure !== undefined) throw db.failure;
    db.end();
    const start = performance.now();
    await commit(link);
    figures.committed(1, start);
    return { value };
  } catch (error) {
    db.end();
    await link.rollback();
    const conflict = db.failure instanceof Conflict ? db.failure : error;
    if (conflict instanceof Conflict) return { conflict };
    throw error;
  }
}

function patienceOf({ lockTimeout = -1, signal }: WriteOptions): Patience {
  return {
    ...(lockTimeout < 0 ? {} : { until: performance.now() + lockTimeout }),
    ...(signal === undefined ? {} : { signal }),
  };
}

function lockTimeoutOf({ until }: Patience): { lockTimeout?: number } {
  return until === undefined ? {} : { lockTimeout: Math.max(0, until - performance.now()) };
}
