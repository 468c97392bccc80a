import { LateMap } from '../../base/late-map.ts';
import { ruleBroken, SqlError, sqlError } from '../../base/messages/sql-error.ts';
import type { Database, Db, Snapshot, Transaction, WriteOptions } from '../../engine/db.ts';
import type { Transactions } from '../../tsql/host.ts';

/** What a client is told when its transaction begins or ends. */
export type TransactionEvent = 'begun' | 'committed' | 'rolledBack';

/** Called on a begin or end; the returned promise is awaited before the response. */
export type Tell = (event: TransactionEvent, descriptor: bigint) => Promise<void> | undefined;

/** The other active requests of the connection (MARS). */
interface OtherRequests {
  /** Throws this error if there are any. */
  refuse(number: 3981 | 3983 | 3988): void;
  /** Ends them, because their transaction is gone. */
  end(descriptor: bigint): void;
}

/**
 * The maximum number of savepoints in a transaction; more is error 701. Each costs the engine memory, and a loop could
 * create them endlessly.
 */
const mostSaved = 10_000;

/** How often the first write of a transaction is run; each conflict is a transaction of somebody else that was kept. */
const mostRuns = 100;

/**
 * A client's own transaction as T-SQL sees it: a nesting count and savepoints. The engine's transaction, and with it
 * the write lock, is taken at the first write, because many drivers open a transaction long before they need one.
 */
export class ClientTransaction implements Transactions {
  readonly #tell: Tell;
  readonly #refusal: (error: unknown) => unknown;
  /** With MARS. */
  others: OtherRequests | undefined;
  #count = 0;
  #doomed = false;
  #descriptor = 0n;
  #next = 1n;
  #saved: string[] = [];
  #open: { readonly database: Database; readonly transaction: Transaction } | undefined;
  /** Snapshots held under isolation levels that keep one, by database name. */
  readonly #snapshots = new LateMap<string, Snapshot>();

  /** `refusal` converts the error of a refused commit into the one for the client. */
  constructor(tell: Tell, refusal: (error: unknown) => unknown) {
    this.#tell = tell;
    this.#refusal = refusal;
  }

  get count(): number {
    return this.#count;
  }

  get state(): -1 | 0 | 1 {
    if (this.#count === 0) return 0;
    return this.#doomed ? -1 : 1;
  }

  /** The transaction descriptor known to the client; 0 if there is none. */
  get descriptor(): bigint {
    return this.#descriptor;
  }

  /** True once the transaction has written to a database, so that others may have to wait for it. */
  get hasWritten(): boolean {
    return this.#open !== undefined;
  }

  /** True while it holds a snapshot, for which the store keeps what others delete. */
  get holdsSnapshot(): boolean {
    return this.#snapshots.size > 0;
  }

  /** True once the transaction has written to the database, so that its reads must see those changes. */
  holds(database: Database): boolean {
    return this.#open?.database.name === database.name;
  }

  async begin(): Promise<void> {
    if (this.#count === 0) this.others?.refuse(3988);
    if (this.#count++ > 0) return;
    this.#descriptor = this.#next++;
    this.#tell('begun', this.#descriptor);
  }

  async commit(): Promise<void> {
    if (this.#doomed) throw sqlError(3930);
    if (this.#count > 1) {
      this.#count--;
      return;
    }
    this.others?.refuse(3981);
    const open = this.#open;
    await this.#endSnapshots();
    const descriptor = this.#forget();
    try {
      await open?.transaction.commit();
    } catch (error) {
      await this.#tell('rolledBack', descriptor);
      throw this.#refusal(error);
    }
    await this.#tell('committed', descriptor);
  }

  async rollback(): Promise<void> {
    this.others?.end(this.#descriptor);
    const open = this.#open;
    const descriptor = this.#forget();
    const told = this.#tell('rolledBack', descriptor);
    await this.#endSnapshots();
    await open?.transaction.rollback();
    await told;
  }

  async #endSnapshots(): Promise<void> {
    const snapshots = [...this.#snapshots.values()];
    this.#snapshots.clear();
    await Promise.all(snapshots.map((snapshot) => snapshot.end()));
  }

  async save(name: string): Promise<void> {
    if (this.#doomed) throw sqlError(3930);
    if (this.#saved.length >= mostSaved) throw sqlError(701, 'default');
    this.others?.refuse(3983);
    await this.#open?.transaction.save(name);
    this.#saved.push(name);
  }

  async rollbackTo(name: string): Promise<boolean> {
    const at = this.#saved.lastIndexOf(name);
    if (at < 0) return false;
    this.others?.refuse(3983);
    await this.#open?.transaction.rollbackTo(name);
    this.#saved.length = at + 1;
    return true;
  }

  doom(): void {
    this.#doomed = true;
  }

  /**
   * Runs work inside the transaction; takes the database's write lock first if necessary. Work that conflicts with what
   * others have committed is run again if the transaction has done nothing before.
   */
  async write<T>(
    database: Database,
    work: (db: Db) => Promise<T>,
    options: WriteOptions,
    begin: () => Promise<Transaction>,
  ): Promise<T> {
    if (this.#doomed) throw sqlError(3930);
    for (let runs = 1; ; runs++) {
      const isFirst = this.#open === undefined && !this.#snapshots.has(database.name);
      const transaction = await this.#on(database, options, begin);
      try {
        return await transaction.run(work, options);
      } catch (error) {
        const isConflict = error instanceof SqlError && error.number === 3960;
        if (!isFirst || !isConflict || runs === mostRuns || this.#open?.transaction !== transaction) throw error;
        this.#open = undefined;
        await transaction.rollback();
      }
    }
  }

  /** Runs a read that sees what the transaction has written so far. */
  async read<T>(work: (db: Db) => Promise<T>): Promise<T> {
    if (!this.#open) throw new Error('the transaction has written nothing yet');
    return work(this.#open.transaction.db);
  }

  /** Runs a read on the snapshot taken when the transaction first read the database. */
  async readKept<T>(database: Database, work: (db: Db) => Promise<T>, hold: () => Promise<Snapshot>): Promise<T> {
    let snapshot = this.#snapshots.get(database.name);
    if (snapshot === undefined) {
      snapshot = await hold();
      this.#snapshots.set(database.name, snapshot);
    }
    return work(snapshot.db);
  }

  async #on(database: Database, options: WriteOptions, begin: () => Promise<Transaction>): Promise<Transaction> {
    if (!this.#open) {
      const snapshot = this.#snapshots.get(database.name);
      const transaction = await (snapshot === undefined ? begin() : snapshot.claim(options));
      this.#snapshots.delete(database.name);
      this.#open = { database, transaction };
      // A savepoint set before the first write is a savepoint of the empty transaction.
      for (const name of this.#saved) await transaction.save(name);
    }
    if (this.#open.database.name !== database.name) {
      throw ruleBroken(
        `This transaction has written to database '${this.#open.database.name}'; a transaction can write to only one database.`,
      );
    }
    return this.#open.transaction;
  }

  #forget(): bigint {
    const descriptor = this.#descriptor;
    this.#open = undefined;
    this.#saved = [];
    this.#count = 0;
    this.#doomed = false;
    this.#descriptor = 0n;
    return descriptor;
  }
}
