import { ruleBroken } from '../../../base/messages/sql-error.ts';
import type { Db, Transaction, WriteOptions } from '../../db.ts';
import { closing, EngineFault } from '../../fault.ts';
import { Savepoints } from '../../savepoints.ts';
import type { Connection } from '../connection.ts';
import { SqliteDb } from '../db.ts';
import type { FarTransaction } from '../far/far-transaction.ts';
import { Place } from './place.ts';

/** What a transaction needs from the writer that lent itself to it. */
interface Lender {
  /** Commits, passes the writer on, and resolves when the commit is durable. */
  commit(far: FarTransaction | undefined): Promise<void>;
  rollback(far: FarTransaction | undefined): Promise<void>;
  /** Moves the transaction to another process. */
  goFar(signal: AbortSignal | undefined): Promise<FarTransaction>;
}

/** A client's transaction on SQLite, which has exclusive use of the writer until it ends. */
export class SqliteTransaction implements Transaction {
  readonly db: SqliteDb;
  readonly #connection: Connection;
  readonly #lender: Lender;
  readonly #place: Place;
  readonly #savepoints = new Savepoints();
  #tail: Promise<unknown> = Promise.resolve();
  /** The work that is running; it may have yielded to others. */
  #running: SqliteDb | undefined;
  #ended = false;

  constructor(connection: Connection, lender: Lender) {
    this.#connection = connection;
    this.#lender = lender;
    this.#place = new Place(connection, true, (signal) => lender.goFar(signal));
    this.db = new SqliteDb(connection, 'guarded', undefined, this.#place);
  }

  run<T>(work: (db: Db) => Promise<T>, { signal }: WriteOptions = {}): Promise<T> {
    return this.#inTurn(async () => {
      this.#check();
      await this.#exec('savepoint call');
      const db = new SqliteDb(this.#connection, 'gathered', signal, this.#place);
      this.#running = db;
      try {
        const value = await work(db);
        if (db.failure !== undefined) throw db.failure;
        await this.#exec('release call');
        return value;
      } catch (error) {
        if (!this.#ended && this.#isOpen) {
          await this.#exec('rollback to call');
          await this.#exec('release call');
        }
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
      await this.#exec(`savepoint ${this.#savepoints.add(name)}`);
    });
  }

  rollbackTo(name: string): Promise<boolean> {
    return this.#inTurn(async () => {
      this.#check();
      const own = this.#savepoints.backTo(name);
      if (own !== undefined) await this.#exec(`rollback to ${own}`);
      return own !== undefined;
    });
  }

  commit(): Promise<void> {
    return this.#inTurn(async () => {
      this.#check();
      this.#end();
      await this.#lender.commit(this.#place.far);
    });
  }

  /** Ends the transaction; does nothing if it has already ended. */
  rollback(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#ended) return;
      this.#end();
      await this.#lender.rollback(this.#place.far);
    });
  }

  /** Takes the writer back when the engine stops during the transaction. */
  revoke(): void {
    if (this.#ended) return;
    this.#end();
    this.#place.cut(closing());
    // A failure of the rollback is handled by the writer.
    void this.#lender.rollback(this.#place.far);
  }

  /** Calls of one transaction run one after another, even if their sender does not wait. */
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
    if (this.#ended) throw new EngineFault('The transaction has already ended.');
    if (!this.#isOpen) {
      throw ruleBroken(
        'The transaction was undone because one of its long statements was cancelled, or the disk failed or is full; roll it back.',
      );
    }
  }

  get #isOpen(): boolean {
    return this.#place.far === undefined ? this.#connection.inTransaction : this.#place.far.isOpen;
  }

  async #exec(text: string): Promise<void> {
    const { far } = this.#place;
    if (far !== undefined) {
      await far.db(true).exec(text);
      return;
    }
    this.#connection.exec(text);
    this.#connection.journal.add(text, []);
  }
}
