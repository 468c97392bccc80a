import { sqlError } from '../../base/messages/sql-error.ts';
import type { Db, Transaction, WriteOptions } from '../db.ts';
import { EngineFault } from '../fault.ts';
import { Savepoints } from '../savepoints.ts';
import { PostgresDb } from './db.ts';
import { Conflict } from './errors.ts';
import { serialLock } from './locks/gate.ts';
import type { Link } from './wire/link.ts';

/** Commits; PostgreSQL answers ROLLBACK without an error to a transaction that had already failed. */
export async function commit(link: Link): Promise<void> {
  const answer = await link.commit();
  if (answer !== 'COMMIT') throw new EngineFault(`PostgreSQL answered ${answer} to a commit.`);
}

/**
 * A client's transaction on PostgreSQL, which runs concurrently with others. What cannot be serialized with them is
 * error 3960, and the transaction must be rolled back.
 */
export class PostgresTransaction implements Transaction {
  readonly db: PostgresDb;
  readonly #link: Link;
  readonly #database: string;
  readonly #giveBack: () => void;
  readonly #savepoints = new Savepoints();
  readonly #awake: Disposable;
  #isSerial: boolean;
  #tail: Promise<unknown> = Promise.resolve();
  #ended = false;

  constructor(
    link: Link,
    { database, isSerial }: { readonly database: string; readonly isSerial: boolean },
    giveBack: () => void,
  ) {
    this.#link = link;
    this.#database = database;
    this.#isSerial = isSerial;
    this.#giveBack = giveBack;
    this.#awake = link.keepAwake();
    this.db = new PostgresDb(link, 'guarded');
  }

  run<T>(work: (db: Db) => Promise<T>, { serial, signal }: WriteOptions = {}): Promise<T> {
    return this.#inTurn(async () => {
      if (serial === true && !this.#isSerial) await this.#becomeSerial(signal);
      await this.#link.exec('savepoint call');
      const db = new PostgresDb(this.#link, 'gathered', signal);
      try {
        const value = await work(db);
        if (db.failure !== undefined) throw db.failure;
        await this.#link.exec('release call');
        return value;
      } catch (error) {
        await this.#link.exec('rollback to call; release call');
        throw this.#refused(db.failure instanceof Conflict ? db.failure : error);
      } finally {
        db.end();
      }
    });
  }

  /** Waits for other transactions that assign sequential numbers; from now on they wait for this one. */
  async #becomeSerial(signal: AbortSignal | undefined): Promise<void> {
    await this.#link.exec('savepoint serial');
    try {
      await this.#link.exec(serialLock, signal);
      await this.#link.exec('release serial');
    } catch (error) {
      await this.#link.exec('rollback to serial; release serial');
      throw this.#refused(error);
    }
    this.#isSerial = true;
  }

  save(name: string): Promise<void> {
    return this.#inTurn(async () => {
      await this.#link.exec(`savepoint ${this.#savepoints.add(name)}`);
    });
  }

  rollbackTo(name: string): Promise<boolean> {
    return this.#inTurn(async () => {
      const own = this.#savepoints.backTo(name);
      if (own !== undefined) await this.#link.exec(`rollback to ${own}`);
      return own !== undefined;
    });
  }

  commit(): Promise<void> {
    return this.#inTurn(() =>
      this.#end(() =>
        commit(this.#link).catch((error: unknown) => {
          throw this.#refused(error);
        }),
      ),
    );
  }

  /** Ends the transaction; no effect if it has already ended. */
  rollback(): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.#ended) await this.#end(() => this.#link.rollback());
    }, true);
  }

  /** A transaction may conflict with what others committed since its first read, or be part of a deadlock. */
  #refused(error: unknown): unknown {
    return error instanceof Conflict ? sqlError(3960, '', this.#database) : error;
  }

  async #end(last: () => Promise<void>): Promise<void> {
    this.#ended = true;
    this.#awake[Symbol.dispose]();
    this.db.end();
    try {
      await last();
    } finally {
      this.#giveBack();
    }
  }

  /** Calls of one transaction run one after another even if their sender does not wait. */
  #inTurn<T>(step: () => Promise<T>, evenIfEnded = false): Promise<T> {
    const turn = this.#tail.then(() => {
      if (this.#ended && !evenIfEnded) throw new EngineFault('The transaction has already ended.');
      return step();
    });
    this.#tail = turn.catch(() => {});
    return turn;
  }
}
