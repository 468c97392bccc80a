import { ruleBroken, sqlError } from '../base/sql-error.ts';
import type { Database, Db, Transaction, WriteOptions } from '../engine/db.ts';

/**
 * A client's own transaction as T-SQL sees it: a count, a name, savepoints. The engine's transaction, and with it the
 * write lock, is taken at the first write, because many drivers open a transaction long before they need one.
 */
export class ClientTransaction {
  #count = 0;
  #name = '';
  #descriptor = 0n;
  #next = 1n;
  #saved: string[] = [];
  #open: { readonly database: Database; readonly transaction: Transaction } | undefined;

  /** @@TRANCOUNT. */
  get count(): number {
    return this.#count;
  }

  /** The number that clients echo in the header of every request inside the transaction; 0 when there is none. */
  get descriptor(): bigint {
    return this.#descriptor;
  }

  /** True once something was written, so that reads must see it. */
  holds(database: Database): boolean {
    return this.#open?.database.name === database.name;
  }

  /** Opens the transaction, or nests into the open one; true when it was opened. */
  begin(name = ''): boolean {
    this.#count++;
    if (this.#count > 1) return false;
    this.#name = name;
    this.#descriptor = this.#next++;
    return true;
  }

  /** Leaves one level; true when it was the last and everything is on disk. */
  async commit(): Promise<boolean> {
    if (this.#count === 0) throw sqlError(3902);
    if (this.#count > 1) {
      this.#count--;
      return false;
    }
    const open = this.#open;
    this.#forget();
    await open?.transaction.commit();
    return true;
  }

  /** Undoes everything, or what came after a savepoint; true when the transaction is over. */
  async rollback(name = ''): Promise<boolean> {
    if (this.#count === 0) throw sqlError(3903);
    if (name && name.toLowerCase() !== this.#name.toLowerCase()) {
      await this.#rollbackTo(name);
      return false;
    }
    const open = this.#open;
    this.#forget();
    await open?.transaction.rollback();
    return true;
  }

  async #rollbackTo(name: string): Promise<void> {
    const at = this.#saved.findLastIndex((saved) => saved.toLowerCase() === name.toLowerCase());
    if (at < 0) throw sqlError(6401, name);
    await this.#open?.transaction.rollbackTo(this.#saved[at] ?? name);
    this.#saved.length = at + 1;
  }

  async save(name: string): Promise<void> {
    if (this.#count === 0) throw sqlError(628);
    await this.#open?.transaction.save(name);
    this.#saved.push(name);
  }

  /** Runs work inside the transaction, which takes the database's write lock now if it has not yet. */
  async write<T>(database: Database, work: (db: Db) => Promise<T>, options: WriteOptions): Promise<T> {
    const transaction = await this.#on(database, options);
    return transaction.run(work);
  }

  /** Runs work on what the transaction has written so far. */
  async read<T>(database: Database, work: (db: Db) => Promise<T>): Promise<T> {
    if (this.#open?.database.name !== database.name) throw new Error('the transaction holds no such database');
    return work(this.#open.transaction.db);
  }

  async #on(database: Database, options: WriteOptions): Promise<Transaction> {
    if (!this.#open) {
      const transaction = await database.begin(options);
      this.#open = { database, transaction };
      for (const name of this.#saved) await transaction.save(name);
    }
    if (this.#open.database.name !== database.name) {
      throw ruleBroken(
        `This transaction has written to database '${this.#open.database.name}'; one transaction writes to one database.`,
      );
    }
    return this.#open.transaction;
  }

  #forget(): void {
    this.#open = undefined;
    this.#saved = [];
    this.#count = 0;
    this.#name = '';
    this.#descriptor = 0n;
  }
}
