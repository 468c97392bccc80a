import type { Bindable, Row, Shape, StoredValue } from '../../base/stored.ts';
import { nextTurn } from '../../base/threads/rota.ts';
import { toStored } from '../bind.ts';
import { Compiler } from '../compile.ts';
import type { BatchOptions, BoundRows, Db, GivenRows } from '../db.ts';
import { afterFailure, EngineFault } from '../fault.ts';
import { boundRows } from '../given-rows.ts';
import { onConflict } from '../on-conflict.ts';
import { type RowReader, readerOf } from '../shape.ts';
import { quoted, type Sql } from '../sql.ts';
import type { Connection, StoredRows } from './connection.ts';
import { sqliteDialect } from './dialect.ts';
import type { FarDb } from './far/far-db.ts';
import { Overrun } from './far/watch.ts';
import { OpenStreams } from './reads/open-streams.ts';
import { RowStream } from './reads/row-stream.ts';
import { insertInto } from './writes/insert-into.ts';
import type { Place } from './writes/place.ts';
import { keyValues, RowInserts } from './writes/row-inserts.ts';

const compiler = new Compiler(sqliteDialect);

/**
 * How a Db reads `rows`: streamed, or all at once, so that the loop over them may change the table. `guarded` is
 * streamed and remains usable after a failed statement, because a client's transaction survives its errors.
 */
type Reading = 'streamed' | 'gathered' | 'guarded';

/**
 * Milliseconds after which work yields between two steps: SQLite runs on the event loop, so all other sessions wait for
 * it. Other writers wait until the work is done anyway, since it has the connection.
 */
const turnLength = 10;

/** Rows that are read or inserted between two checks of the clock. */
const rowsBetweenLooks = 64;

/** Rows per batch. */
const rowsInABatch = 256;

/** Access to a connection for one unit of work; unusable after `end`. */
export class SqliteDb implements Db {
  readonly isHere = true;
  readonly #connection: Connection;
  readonly #reading: Reading;
  readonly #signal: AbortSignal | undefined;
  /** Moves the work to another process when a statement takes too long; undefined for a reader, which stays. */
  readonly #place: Place | undefined;
  /** The same work in another process. */
  #far: FarDb | undefined;
  /** Created with the first stream: a writing call has none. */
  #streams: OpenStreams | undefined;
  #ended = false;
  #failure: unknown;
  #cut: Error | undefined;
  /** When the current turn of the work began, as last noticed. */
  #turnBegan: number | undefined;

  constructor(connection: Connection, reading: Reading, signal?: AbortSignal, place?: Place) {
    this.#connection = connection;
    this.#reading = reading;
    this.#signal = signal;
    this.#place = place;
  }

  /** The error of the failed statement. As on PostgreSQL, no other may follow: a call cannot catch it and continue. */
  get failure(): unknown {
    return this.#failure;
  }

  rows<S extends Shape>(shape: S, query: Sql): AsyncIterable<Row<S>> {
    if (this.#place === undefined) return this.#stream(shape, query);
    return this.#movable(this.#place, shape, query);
  }

  /** Rows that are read here, or in another process if the first of them takes too long. */
  async *#movable<S extends Shape>(place: Place, shape: S, query: Sql): AsyncGenerator<Row<S>, void> {
    const begun = place.mustMove ? undefined : this.#begun(place, shape, query);
    if (begun === undefined) {
      yield* (await this.#moved(place)).rows(shape, query);
      return;
    }
    if (begun.first === undefined) return;
    const leave = this.#enter(place);
    try {
      yield begun.first;
      yield* begun.stream;
    } finally {
      leave();
      begun.stream.stop();
    }
  }

  /** Records that a query is being read here, unless all of its rows have been fetched. */
  #enter(place: Place): () => void {
    if (this.#reading === 'gathered') return noStep;
    place.open++;
    return () => {
      place.open--;
    };
  }

  /** The first row; undefined if it takes too long. */
  #begun<S extends Shape>(
    place: Place,
    shape: S,
    query: Sql,
  ): { stream: RowStream<S>; first: Row<S> | undefined } | undefined {
    this.#connection.isWatching = place.canMove;
    try {
      const stream = this.#stream(shape, query);
      return { stream, first: stream.take() };
    } catch (error) {
      if (error instanceof Overrun) return undefined;
      throw error;
    }
  }

  #stream<S extends Shape>(shape: S, query: Sql): RowStream<S> {
    const reader = readerOf(shape);
    const rows = this.#try(() => {
      const { text, parameters } = compiler.compile(query);
      return this.#reading === 'gathered'
        ? gathered(this.#connection.all(erased(reader), text, parameters))
        : this.#connection.iterate(erased(reader), text, parameters);
    });
    const stream = new RowStream(rows, shape, this.#signal);
    this.#streams ??= new OpenStreams();
    // The type of the rows does not matter for closing them.
    this.#streams.add(stream as unknown as RowStream<Shape>);
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

  batches(shape: Shape, query: Sql, options?: BatchOptions): AsyncIterable<readonly (readonly unknown[])[]> {
    const place = this.#place;
    if (place === undefined) return this.#batches(shape, query, options);
    return this.#movedBatches(place, shape, query, options);
  }

  async *#batches(
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
    const stream = this.#stream(shape, query);
    try {
      for (;;) {
        const batch: unknown[][] = [];
        while (batch.length < rowsInABatch) {
          const row = stream.takeValues();
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

  async *#movedBatches(
    place: Place,
    shape: Shape,
    query: Sql,
    options: BatchOptions | undefined,
  ): AsyncGenerator<readonly (readonly unknown[])[], void> {
    if (!place.mustMove) {
      const batches = this.#batches(shape, query, options);
      this.#connection.isWatching = place.canMove;
      const first = await batches.next().catch((error: unknown) => {
        if (error instanceof Overrun) return undefined;
        throw error;
      });
      if (first?.done === true) return;
      if (first !== undefined) {
        const leave = this.#enter(place);
        try {
          yield first.value;
          yield* batches;
        } finally {
          leave();
          await batches.return();
        }
        return;
      }
    }
    yield* (await this.#moved(place)).batches(shape, query);
  }

  async all<S extends Shape>(shape: S, query: Sql): Promise<Row<S>[]> {
    const reader = readerOf(shape);
    if (this.#isTurnOver()) await this.#giveWay();
    return this.#do(
      () => {
        const { text, parameters } = compiler.compile(query);
        return this.#connection.all(erased(reader), text, parameters).map((values) => reader.read(values));
      },
      (far) => far.all(shape, query),
    );
  }

  async first<S extends Shape>(shape: S, query: Sql): Promise<Row<S> | undefined> {
    const reader = readerOf(shape);
    if (this.#isTurnOver()) await this.#giveWay();
    return this.#do(
      () => {
        const { text, parameters } = compiler.compile(query);
        const values = this.#connection.first(erased(reader), text, parameters);
        return values === undefined ? undefined : reader.read(values);
      },
      (far) => far.first(shape, query),
    );
  }

  async run(statement: Sql): Promise<number> {
    if (this.#isTurnOver()) await this.#giveWay();
    return this.#do(
      () => {
        const { text, parameters } = compiler.compile(statement);
        return this.#connection.run(text, parameters);
      },
      (far) => far.run(statement),
    );
  }

  async runAll(statements: readonly Sql[]): Promise<void> {
    for (const statement of statements) await this.run(statement);
  }

  async insert(
    table: string,
    columns: readonly string[],
    rows: Iterable<readonly Bindable[]>,
    replacing?: readonly string[],
  ): Promise<void> {
    const text = insertInto(table, columns) + onConflict(table, columns, replacing);
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
    while (!this.#place?.mustMove) {
      if (!this.#try(insertSome)) return;
      if (this.#isTurnOver()) await this.#giveWay();
    }
    const rest = { [Symbol.iterator]: () => left };
    await this.#do(noStep, (far) => far.insert(table, columns, rest, replacing));
  }

  async load(
    table: string,
    columns: readonly string[],
    batches: AsyncIterable<BoundRows | GivenRows>,
  ): Promise<number> {
    const inserts = new RowInserts(this.#connection, table, columns);
    if (this.#place?.keepsLoads === false) this.#connection.journal.lose();
    let count = 0;
    for await (const rows of batches) {
      await this.#do(
        () => inserts.add(this.#connection.journal.isLost ? rows : boundRows(rows).map(kept)),
        (far) => far.insert(table, columns, boundRows(rows)),
      );
      count += rows.length;
      if (this.#isTurnOver()) await this.#giveWay();
    }
    return count;
  }

  async truncate(table: string): Promise<void> {
    if (this.#isTurnOver()) await this.#giveWay();
    await this.#do(
      () => {
        this.#connection.run(`delete from ${quoted(table)}`, []);
        if (this.#connection.hasTable('sqlite_sequence'))
          this.#connection.run('delete from sqlite_sequence where name = ?', [table]);
      },
      (far) => far.truncate(table),
    );
  }

  /** Closes its open streams and makes it unusable. */
  end(): void {
    this.#ended = true;
    this.#streams?.end();
  }

  /** Aborts it; the work gets this error from its next statement. */
  cut(error: Error): void {
    this.#failure = error;
    this.#cut = error;
    this.#streams?.cut(error);
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

  /** Runs something here, or in another process if it takes too long. */
  #do<T>(near: () => T, far: (db: FarDb) => Promise<T>): T | Promise<T> {
    const place = this.#place;
    if (place === undefined) return this.#try(near);
    if (!place.mustMove) {
      this.#connection.isWatching = place.canMove;
      try {
        return this.#try(near);
      } catch (error) {
        if (!(error instanceof Overrun)) throw error;
      }
    }
    return this.#farther(place, far);
  }

  async #farther<T>(place: Place, step: (db: FarDb) => Promise<T>): Promise<T> {
    const far = await this.#moved(place);
    try {
      return await step(far);
    } catch (error) {
      if (this.#reading !== 'guarded') this.#failure = error;
      throw error;
    }
  }

  async #moved(place: Place): Promise<FarDb> {
    this.#try(noStep);
    try {
      this.#far ??= (await place.move(this.#signal)).db(this.#reading === 'gathered', this.#signal);
      return this.#far;
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  #try<T>(step: () => T): T {
    if (this.#ended) throw new EngineFault('A database was used after its unit of work had ended.');
    if (this.#cut !== undefined) throw this.#cut;
    if (this.#failure !== undefined) throw afterFailure(this.#failure);
    try {
      this.#signal?.throwIfAborted();
      return step();
    } catch (error) {
      if (this.#reading !== 'guarded' && !(error instanceof Overrun)) this.#failure = error;
      throw error;
    }
  }
}

const noStep = (): void => {};

/** Rows that are all available. */
function gathered(rows: readonly (readonly StoredValue[])[]): StoredRows {
  let next = 0;
  return { take: () => rows[next++], stop: noStep };
}

/** A copy of a row whose bytes would change when their sender reuses the buffer. */
const kept = (row: readonly Bindable[]): Bindable[] =>
  row.map((value) => (value instanceof Uint8Array ? Uint8Array.from(value) : value));

/** The connection needs a reader's columns only, not the type of its rows. */
function erased<S extends Shape>(reader: RowReader<S>): RowReader<Shape> {
  return reader as unknown as RowReader<Shape>;
}
