import type { Shape } from '../../base/stored.ts';
import type { Database, Db, ReadOptions, WriteOptions } from '../../engine/db.ts';
import type { Sql } from '../../engine/sql.ts';
import type { TransactionSource } from '../../procedure/run/transaction-source.ts';
import { keepsLocks, unlessDeadlocked } from '../transactions/deadlock-watch.ts';
import { beginHeld, holdSnapshot, keepsSnapshot } from '../transactions/held-snapshot.ts';
import { unlessLost } from '../transactions/lost-transaction.ts';
import type { ReaderPatience } from '../transactions/reader-gates.ts';
import type { CallsOptions } from './calls-options.ts';

/**
 * Provides the transaction of a call: its own, or inside a client's transaction a savepoint that can fail
 * independently.
 */
export class CallSource implements TransactionSource {
  readonly #with: CallsOptions;
  readonly #database: Database;
  readonly #signal: AbortSignal;

  constructor(options: CallsOptions, database: Database, signal: AbortSignal) {
    this.#with = options;
    this.#database = database;
    this.#signal = signal;
  }

  read<T>(work: (db: Db) => Promise<T>, options: Pick<ReadOptions, 'like' | 'work'>): Promise<T> {
    const database = this.#database;
    const { transactions, context, requests } = this.#with;
    if (transactions.count > 0) {
      const { isolation } = this.#with.options;
      if (transactions.holds(database)) return transactions.read(work);
      if (keepsSnapshot(isolation)) {
        const hold = () =>
          holdSnapshot(database, isolation === 'serializable', context.readers, requests.reader, this.#patience());
        return unlessLost(this.#with, transactions.readKept(database, work, hold));
      }
    }
    const { like, work: amount } = options;
    return context.readers.read(database, requests.reader, this.#patience(), () =>
      database.read(work, { like, work: amount, signal: this.#signal }),
    );
  }

  few(shape: Shape, query: Sql): Promise<readonly (readonly unknown[])[]> | undefined {
    return this.#with.transactions.count > 0 ? undefined : this.#database.few(shape, query, this.#signal);
  }

  /** Needs no reader slot, because no snapshot is held while the client reads. */
  readBriefly<T>(
    work: (db: Db) => Promise<T>,
    { like }: Pick<ReadOptions, 'like'>,
  ): Promise<{ readonly value: T } | undefined> | undefined {
    if (this.#with.transactions.count > 0) return undefined;
    return this.#database.readBriefly?.(work, { like, signal: this.#signal });
  }

  write<T>(work: (db: Db) => Promise<T>, options: Pick<WriteOptions, 'like' | 'serial' | 'byRows'>): Promise<T> {
    const { inOrder } = this.#with.requests;
    return inOrder === undefined ? this.#write(work, options) : inOrder(() => this.#write(work, options));
  }

  #write<T>(
    work: (db: Db) => Promise<T>,
    { like, serial, byRows }: Pick<WriteOptions, 'like' | 'serial' | 'byRows'>,
  ): Promise<T> {
    const { transactions, context, requests } = this.#with;
    const { spid: who } = this.#with.identity;
    const { lockTimeout } = this.#with.options;
    const database = this.#database;
    const all: WriteOptions = { like, serial, byRows, who, lockTimeout, signal: this.#signal };
    if (transactions.count === 0 && !keepsLocks(who, context)) return database.write(work, all);
    const run = (signal: AbortSignal) => {
      const own = { ...all, signal };
      if (transactions.count === 0) return database.write(work, own);
      const begin = () => beginHeld(database, context.readers, requests.reader, { timeout: lockTimeout, signal }, own);
      return transactions.write(database, work, own, begin);
    };
    return unlessLost(this.#with, unlessDeadlocked(who, database, context, this.#signal, run));
  }

  #patience(): ReaderPatience {
    return { timeout: this.#with.options.lockTimeout, signal: this.#signal };
  }
}
