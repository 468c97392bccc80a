import { nextTurn } from '../../base/rota.ts';
import type { Bindable, Row, Shape, StoredValue } from '../../base/stored.ts';
import { toStored } from '../bind.ts';
import { Compiler } from '../compile.ts';
import type { BatchOptions, BoundRows, Db } from '../db.ts';
import { afterFailure, EngineFault } from '../fault.ts';
import { onConflict } from '../on-conflict.ts';
import { type RowReader, readerOf } from '../shape.ts';
import { quoted, type Sql } from '../sql.ts';
import type { Connection } from './connection.ts';
import { sqliteDialect } from './dialect.ts';
import { keyValues, RowInserts } from './row-inserts.ts';
import { RowStream } from './row-stream.ts';

const compiler = new Compiler(sqliteDialect);

/**
 * How a Db reads `rows`: as they are asked for, or all at once, so that the loop over them may change the table.
 * `guarded` is streamed, and a failed statement leaves it usable: a client's transaction outlives its errors.
 */
type Reading = 'streamed' | 'gathered' | 'guarded';

/**
 * Milliseconds after which work gives way between two steps: SQLite runs on the event loop, and so all other sessions
 * wait for it. Whoever else wants to write still waits until the work is done, since it has the connection.
 */
const turnLength = 10;

/** Rows that are read or inserted between two looks at the clock. */
const rowsBetweenLooks = 64;

/** Rows that are read at a time. */
const rowsInABatch = 256;

/** What one piece of work does on a connection; it is of no use after `end`. */
export class SqliteDb implements Db {
  readonly #connection: Connection;
  readonly #reading: Reading;
  readonly #signal: AbortSignal | undefined;
  /** Made with the first: a call that writes has none. */
  #streams: Set<RowStream<unknown>> | undefined;
  #ended = false;
  #failure: unknown;
  #cut: Error | undefined;
  /** When the turn began that the work is in, as far as it has noticed. */
  #turnBegan: number | undefined;

  constructor(connection: Connection, reading: Reading, signal?: AbortSignal) {
    this.#connection = connection;
    this.#reading = reading;
    this.#signal = signal;
  }

  /** The statement that failed. As on PostgreSQL nothing follows it: a call cannot catch it and go on. */
  get failure(): unknown {
    return this.#failure;
  }

  rows<S extends Shape>(shape: S, query: Sql): AsyncIterable<Row<S>> {
    const reader = readerOf(shape);
    return this.#stream(shape, query, (values) => reader.read(values));
  }

  #stream<T>(shape: Shape, query: Sql, read: (values: readonly StoredValue[]) => T): RowStream<T> {
    const reader = readerOf(shape);
    const rows = this.#try(() => {
      const { text, parameters } = compiler.compile(query);
      return this.#reading === 'gathered'
        ? this.#connection.all(erased(reader), text, parameters).values()
        : this.#connection.iterate(erased(reader), text, parameters);
    });
    const stream: RowStream<T> = new RowStream(rows, read, this.#signal, () => this.#streams?.delete(stream));
    this.#streams ??= new Set();
    this.#streams.add(stream);
    return stream;
  }

  /** All rows of a query at once, as arrays. */
  few(shape: Shape, query: Sql): unknown[][] {
    const reader = readerOf(shape);
    return this.#try(() => {
      const { text, parameters } = compiler.compile(query);
      return this.#connection.all(reader, text, parameters).map((values) => reader.values(values));
    });
  }

  async *batches(
    shape: Shape,
    query: Sql,
    { few }: BatchOptions = {},
  ): AsyncGenerator<readonly (readonly unknown[])[], void> {
    if (few === true) {
      if (this.#isTurnOver()) await this.#giveWay();
      const rows = this.few(shape, query);
      if (rows.length > 0) yield rows;
      return;
    }
    const reader = readerOf(shape);
    const stream = this.#stream(shape, query, (values) => reader.values(values));
    try {
      for (;;) {
        const batch: unknown[][] = [];
        while (batch.length < rowsInABatch) {
          const row = stream.take();
          if (row === undefined) {
            if (batch.length > 0) yield batch;
            return;
          }
          batch.push(row);
          if (batch.length % rowsBetweenLooks === 0 && this.#isTurnOver()) break;
        }
        yield batch;
        if (this.#isTurnOver()) await this.#giveWay();
      }
    } finally {
      stream.stop();
    }
  }

  async all<S extends Shape>(shape: S, query: Sql): Promise<Row<S>[]> {
    const reader = readerOf(shape);
    if (this.#isTurnOver()) await this.#giveWay();
    return this.#try(() => {
      const { text, parameters } = compiler.compile(query);
      return this.#connection.all(erased(reader), text, parameters).map((values) => reader.read(values));
    });
  }

  async first<S extends Shape>(shape: S, query: Sql): Promise<Row<S> | undefined> {
    const reader = readerOf(shape);
    if (this.#isTurnOver()) await this.#giveWay();
    return this.#try(() => {
      const { text, parameters } = compiler.compile(query);
      const values = this.#connection.first(erased(reader), text, parameters);
      return values === undefined ? undefined : reader.read(values);
    });
  }

  async run(statement: Sql): Promise<number> {
    if (this.#isTurnOver()) await this.#giveWay();
    return this.#try(() => {
      const { text, parameters } = compiler.compile(statement);
      return this.#connection.run(text, parameters);
    });
  }

  async insert(
    table: string,
    columns: readonly string[],
    rows: Iterable<readonly Bindable[]>,
    replacing?: readonly string[],
  ): Promise<void> {
    const places = columns.map(() => '?').join(', ');
    const text =
      `insert into ${quoted(table)} (${columns.map(quoted).join(', ')}) values (${places})` +
      onConflict(table, columns, replacing);
    const left = rows[Symbol.iterator]();
    const insertSome = (): boolean => {
      for (let count = 0; count < rowsBetweenLooks; count++) {
        const next = left.next();
        if (next.done === true) return false;
        const stored = next.value.map(toStored);
        this.#connection.run(text, stored, (key) => keyValues(key.map((column) => stored[columns.indexOf(column)])));
      }
      return true;
    };
    while (this.#try(insertSome)) if (this.#isTurnOver()) await this.#giveWay();
  }

  async load(table: string, columns: readonly string[], batches: AsyncIterable<BoundRows>): Promise<number> {
    const inserts = new RowInserts(this.#connection, table, columns);
    let count = 0;
    for await (const rows of batches) {
      this.#try(() => inserts.add(rows));
      count += rows.length;
      if (this.#isTurnOver()) await this.#giveWay();
    }
    return count;
  }

  async truncate(table: string): Promise<void> {
    if (this.#isTurnOver()) await this.#giveWay();
    this.#try(() => {
      this.#connection.run(`delete from ${quoted(table)}`, []);
      if (this.#connection.hasTable('sqlite_sequence'))
        this.#connection.run('delete from sqlite_sequence where name = ?', [table]);
    });
  }

  /** Ends what is left of its streams; nothing can be asked of it any more. */
  end(): void {
    this.#ended = true;
    for (const stream of this.#streams ?? []) stream.cut();
  }

  /** Ends it under the work, which gets this error from whatever it asks next. */
  cut(error: Error): void {
    this.#failure = error;
    this.#cut = error;
    for (const stream of this.#streams ?? []) stream.cut(error);
  }

  #isTurnOver(): boolean {
    const now = performance.now();
    this.#turnBegan ??= now;
    return now - this.#turnBegan >= turnLength;
  }

  async #giveWay(): Promise<void> {
    await nextTurn();
    this.#turnBegan = performance.now();
  }

  #try<T>(step: () => T): T {
    if (this.#ended) throw new EngineFault('A database was used after the work that it was given to had ended.');
    if (this.#cut !== undefined) throw this.#cut;
    if (this.#failure !== undefined) throw afterFailure(this.#failure);
    try {
      this.#signal?.throwIfAborted();
      return step();
    } catch (error) {
      if (this.#reading !== 'guarded') this.#failure = error;
      throw error;
    }
  }
}

/** The connection needs a reader's columns only, not the type of its rows. */
function erased<S extends Shape>(reader: RowReader<S>): RowReader<Shape> {
  return reader as unknown as RowReader<Shape>;
}
