import { sqlError } from '../../../base/messages/sql-error.ts';
import type { Snapshot, Transaction, WriteOptions } from '../../db.ts';
import type { SqliteDb } from '../db.ts';
import type { Writer } from '../writes/writer.ts';
import type { Readers } from './readers.ts';

/**
 * A SQLite snapshot that may become a transaction. SQLite does not record what was read, so any later commit conflicts.
 */
export class SqliteSnapshot implements Snapshot {
  readonly db: SqliteDb;
  readonly #database: string;
  readonly #writer: Writer;
  readonly #version: string;
  #end: () => void;

  private constructor(database: string, writer: Writer, version: string, held: { db: SqliteDb; end(): void }) {
    this.#database = database;
    this.#writer = writer;
    this.#version = version;
    this.db = held.db;
    this.#end = () => held.end();
  }

  static async take(
    database: string,
    readers: Readers,
    writer: Writer,
    onEnd: () => void,
    signal?: AbortSignal,
  ): Promise<Snapshot> {
    let version = '';
    // Read before the snapshot is taken: a commit of another process between the two then counts as later.
    const held = await readers.hold(() => {
      version = writer.version;
    }, signal);
    const end = () => {
      held.end();
      onEnd();
    };
    return new SqliteSnapshot(database, writer, version, { db: held.db, end });
  }

  async claim(options?: WriteOptions): Promise<Transaction> {
    const transaction = await this.#writer.begin(options);
    if (this.#writer.version !== this.#version) {
      await transaction.rollback();
      throw sqlError(3960, '', this.#database);
    }
    await this.end();
    return transaction;
  }

  async end(): Promise<void> {
    this.#end();
    this.#end = () => {};
  }
}
