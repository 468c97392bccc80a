import type { Bindable, Row, Shape, StoredValue } from '../../base/stored.ts';
import { type Compiled, Compiler } from '../compile.ts';
import type { Db } from '../db.ts';
import { afterFailure, EngineFault } from '../fault.ts';
import { type RowReader, readerOf } from '../shape.ts';
import type { Sql } from '../sql.ts';
import { postgresDialect } from './dialect.ts';
import { insertStatements } from './insert.ts';
import type { Link } from './link.ts';

const compiler = new Compiler(postgresDialect);

/** Rows fetched at a time from a cursor. */
const rowsAtATime = 500;

/** How a Db reads `rows` and what a failed statement leaves, as on SQLite. */
export type Reading = 'streamed' | 'gathered' | 'guarded';

/** What one piece of work does in a transaction of PostgreSQL; it is of no use after `end`. */
export class PostgresDb implements Db {
  readonly #link: Link;
  readonly #reading: Reading;
  readonly #signal: AbortSignal | undefined;
  #ended = false;
  #failure: unknown;
  #cursors = 0;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(link: Link, reading: Reading, signal?: AbortSignal) {
    this.#link = link;
    this.#reading = reading;
    this.#signal = signal;
  }

  /** The statement that failed: PostgreSQL takes nothing more in this transaction. */
  get failure(): unknown {
    return this.#failure;
  }

  rows<S extends Shape>(shape: S, query: Sql): AsyncIterable<Row<S>> {
    return this.#reading === 'gathered' ? this.#gathered(shape, query) : this.#streamed(shape, query);
  }

  all<S extends Shape>(shape: S, query: Sql): Promise<Row<S>[]> {
    const reader = readerOf(shape);
    return this.#try(async () => {
      const rows = await this.#select(reader, compiler.compile(query));
      return rows.map((values) => reader.read(values));
    });
  }

  first<S extends Shape>(shape: S, query: Sql): Promise<Row<S> | undefined> {
    const reader = readerOf(shape);
    return this.#try(async () => {
      const [values] = await this.#select(reader, compiler.compile(query));
      return values === undefined ? undefined : reader.read(values);
    });
  }

  run(statement: Sql): Promise<number> {
    return this.#try(async () => {
      const result = await this.#link.query(compiler.compile(statement), { signal: this.#signal });
      return result.rowCount ?? 0;
    });
  }

  insert(table: string, columns: readonly string[], rows: Iterable<readonly Bindable[]>): Promise<void> {
    return this.#try(async () => {
      for (const statement of insertStatements(table, columns, rows)) {
        await this.#link.query(statement, { signal: this.#signal });
      }
    });
  }

  end(): void {
    this.#ended = true;
  }

  async *#gathered<S extends Shape>(shape: S, query: Sql): AsyncGenerator<Row<S>, void> {
    yield* await this.all(shape, query);
  }

  /** A cursor of SQL, not of the protocol: other statements may run while its rows are read. */
  async *#streamed<S extends Shape>(shape: S, query: Sql): AsyncGenerator<Row<S>, void> {
    const reader = readerOf(shape);
    const cursor = `rows_${++this.#cursors}`;
    const fetch: Compiled = { text: `fetch ${rowsAtATime} from ${cursor}`, parameters: [] };
    await this.#try(async () => {
      const { text, parameters } = compiler.compile(query);
      const declare = { text: `declare ${cursor} no scroll cursor for ${text}`, parameters };
      await this.#link.query(declare, { prepared: false, signal: this.#signal });
    });
    for (;;) {
      const rows = await this.#try(() => this.#select(reader, fetch, false));
      for (const values of rows) yield reader.read(values);
      if (rows.length < rowsAtATime) break;
    }
    await this.#try(() => this.#link.exec(`close ${cursor}`, this.#signal));
  }

  async #select<S extends Shape>(reader: RowReader<S>, compiled: Compiled, prepared = true): Promise<StoredValue[][]> {
    const result = await this.#link.query(compiled, { wide: reader.wide, prepared, signal: this.#signal });
    reader.checkColumns(
      result.fields.map((field) => field.name),
      compiled.text,
    );
    return result.rows;
  }

  #try<T>(step: () => Promise<T>): Promise<T> {
    if (this.#reading !== 'guarded') return this.#latched(step);
    const turn = this.#tail.then(() => this.#inSavepoint(step));
    this.#tail = turn.catch(() => {});
    return turn;
  }

  async #latched<T>(step: () => Promise<T>): Promise<T> {
    this.#check();
    try {
      return await step();
    } catch (error) {
      this.#failure ??= error;
      throw error;
    }
  }

  /** A client's transaction outlives a failed statement, so each runs in a savepoint. */
  async #inSavepoint<T>(step: () => Promise<T>): Promise<T> {
    this.#check();
    await this.#link.exec('savepoint statement');
    try {
      const value = await step();
      await this.#link.exec('release statement');
      return value;
    } catch (error) {
      await this.#link.exec('rollback to statement; release statement');
      throw error;
    }
  }

  #check(): void {
    if (this.#ended) throw new EngineFault('A database was used after the work that it was given to had ended.');
    if (this.#failure !== undefined) throw afterFailure(this.#failure);
  }
}
