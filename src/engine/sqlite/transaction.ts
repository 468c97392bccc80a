import { ruleBroken } from '../../base/sql-error.ts';
import type { Db, Transaction } from '../db.ts';
import { EngineFault } from '../fault.ts';
import { Savepoints } from '../savepoints.ts';
import type { Connection } from './connection.ts';
import { SqliteDb } from './db.ts';

/** What a transaction asks of the writer that it was lent from. */
interface Lender {
  /** Commits, lets the next one have the writer, and resolves when the commit is on disk. */
  commit(): Promise<void>;
  rollback(): void;
}

/** A client's transaction on SQLite: it has the writer to itself until it ends. */
export class SqliteTransaction implements Transaction {
  readonly db: SqliteDb;
  readonly #connection: Connection;
  readonly #lender: Lender;
  readonly #savepoints = new Savepoints();
  #tail: Promise<unknown> = Promise.resolve();
  /** The work that runs now: it may have given way to others. */
  #running: SqliteDb | undefined;
  #ended = false;

  constructor(connection: Connection, lender: Lender) {
    this.#connection = connection;
    this.#lender = lender;
    this.db = new SqliteDb(connection, 'guarded');
  }

  run<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      this.#check();
      this.#connection.exec('savepoint call');
      const db = new SqliteDb(this.#connection, 'gathered');
      this.#running = db;
      try {
        const value = await work(db);
        if (db.failure !== undefined) throw db.failure;
        this.#connection.exec('release call');
        return value;
      } catch (error) {
        if (!this.#ended && this.#connection.inTransaction) this.#connection.exec('rollback to call; release call');
        throw error;
      } finally {
        db.end();
        this.#running = undefined;
      }
    });
  }

  save(name: string): Promise<void> {
    return this.#inTurn(async () => {
      this.#check();
      this.#connection.exec(`savepoint ${this.#savepoints.add(name)}`);
    });
  }

  rollbackTo(name: string): Promise<boolean> {
    return this.#inTurn(async () => {
      this.#check();
      const own = this.#savepoints.backTo(name);
      if (own !== undefined) this.#connection.exec(`rollback to ${own}`);
      return own !== undefined;
    });
  }

  commit(): Promise<void> {
    return this.#inTurn(async () => {
      this.#check();
      this.#end();
      await this.#lender.commit();
    });
  }

  /** Ends the transaction; one that has ended already is left alone. */
  rollback(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#ended) return;
      this.#end();
      this.#lender.rollback();
    });
  }

  /** Takes the writer back when the engine stops under the transaction. */
  revoke(): void {
    if (this.#ended) return;
    this.#end();
    this.#lender.rollback();
  }

  /** Calls of one transaction follow each other even if their sender does not wait. */
  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const turn = this.#tail.then(step);
    this.#tail = turn.catch(() => {});
    return turn;
  }

  #end(): void {
    this.#ended = true;
    this.db.end();
    this.#running?.end();
  }

  #check(): void {
    if (this.#ended) throw new EngineFault('The transaction has ended already.');
    if (!this.#connection.inTransaction) {
      throw ruleBroken('The transaction was undone because the disk failed or is full; roll it back.');
    }
  }
}
