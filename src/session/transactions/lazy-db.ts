import type { Bindable, Row, Shape } from '../../base/stored.ts';
import type { BatchOptions, BoundRows, Db, GivenRows } from '../../engine/db.ts';
import type { Sql } from '../../engine/sql.ts';
import type { TransactionSource } from '../../procedure/run/transaction-source.ts';

/** A source of snapshots. */
interface Source {
  /** Opens one for some work. */
  read(work: (db: Db) => Promise<void>): Promise<void>;
  /** Runs a single query that needs no snapshot beyond its own; undefined if that is not possible. */
  readonly few: TransactionSource['few'];
}

/**
 * Runs work with a database whose snapshot is opened at its first use: results computed from the server's own state,
 * like the catalog views, hold no snapshot while the client reads them.
 */
export async function lazily<T>(source: Source, work: (db: Db) => Promise<T>): Promise<T> {
  const lazy = new LazyDb(source);
  try {
    return await work(lazy);
  } finally {
    await lazy.end();
  }
}

class LazyDb implements Db {
  readonly #source: Source;
  readonly #ended = Promise.withResolvers<void>();
  #opened: Promise<Db> | undefined;
  #reading: Promise<void> = Promise.resolve();

  constructor(source: Source) {
    this.#source = source;
  }

  rows<S extends Shape>(shape: S, query: Sql): AsyncIterable<Row<S>> {
    return { [Symbol.asyncIterator]: () => new LazyRows(this.#open().then((db) => db.rows(shape, query))) };
  }

  batches(shape: Shape, query: Sql, options?: BatchOptions): AsyncIterable<readonly (readonly unknown[])[]> {
    const isOnly = options?.only === true && options.few === true && this.#opened === undefined;
    const rows = isOnly ? this.#source.few?.(shape, query) : undefined;
    if (rows !== undefined) return atOnce(rows);
    return { [Symbol.asyncIterator]: () => new LazyRows(this.#open().then((db) => db.batches(shape, query, options))) };
  }

  async all<S extends Shape>(shape: S, query: Sql): Promise<Row<S>[]> {
    return (await this.#open()).all(shape, query);
  }

  async first<S extends Shape>(shape: S, query: Sql): Promise<Row<S> | undefined> {
    return (await this.#open()).first(shape, query);
  }

  async run(statement: Sql): Promise<number> {
    return (await this.#open()).run(statement);
  }

  async runAll(statements: readonly Sql[]): Promise<void> {
    return (await this.#open()).runAll(statements);
  }

  async insert(
    table: string,
    columns: readonly string[],
    rows: Iterable<readonly Bindable[]>,
    replacing?: readonly string[],
  ): Promise<void> {
    return (await this.#open()).insert(table, columns, rows, replacing);
  }

  async load(
    table: string,
    columns: readonly string[],
    batches: AsyncIterable<BoundRows | GivenRows>,
  ): Promise<number> {
    return (await this.#open()).load(table, columns, batches);
  }

  async truncate(table: string): Promise<void> {
    return (await this.#open()).truncate(table);
  }

  /** Releases the snapshot, if there is one. */
  async end(): Promise<void> {
    this.#ended.resolve();
    await this.#reading;
  }

  #open(): Promise<Db> {
    this.#opened ??= new Promise((resolve, reject) => {
      let isOpen = false;
      this.#reading = this.#source
        .read(async (db) => {
          isOpen = true;
          resolve(db);
          await this.#ended.promise;
        })
        .catch((error: unknown) => {
          // The failure to open is reported to whoever used the database.
          if (isOpen) throw error;
          reject(error);
        });
    });
    return this.#opened;
  }
}

async function* atOnce<T>(rows: Promise<readonly T[]>): AsyncGenerator<readonly T[], void> {
  const all = await rows;
  if (all.length > 0) yield all;
}

/** Rows of a query that starts when the first row is requested. */
class LazyRows<T> implements AsyncIterator<T> {
  readonly #rows: Promise<AsyncIterable<T>>;
  #iterator: AsyncIterator<T> | undefined;

  constructor(rows: Promise<AsyncIterable<T>>) {
    this.#rows = rows;
  }

  next(): Promise<IteratorResult<T>> {
    if (this.#iterator) return this.#iterator.next();
    return this.#rows.then((rows) => {
      this.#iterator = rows[Symbol.asyncIterator]();
      return this.#iterator.next();
    });
  }

  async return(): Promise<IteratorResult<T>> {
    return (await this.#iterator?.return?.()) ?? { done: true, value: undefined };
  }
}
