import { sqlError } from '../../base/messages/sql-error.ts';
import type { Bindable, Row, Shape, StoredValue } from '../../base/stored.ts';
import type { Compiled } from '../compile.ts';
import type { BatchOptions, BoundRows, Db, GivenRows } from '../db.ts';
import { afterFailure, EngineFault } from '../fault.ts';
import { type RowReader, readerOf } from '../shape.ts';
import { quoted, type Sql } from '../sql.ts';
import { copied } from './copy/copied.ts';
import { type CopyType, copyTypes } from './copy/copy-rows.ts';
import { compiler } from './dialect.ts';
import { Conflict } from './errors.ts';
import { insertStatements } from './insert.ts';
import type { Link } from './wire/link.ts';

/** Cursors of reads that share a transaction need distinct names. */
let nextCursor = 1;

/** Rows fetched at a time from a cursor. */
const rowsAtATime = 500;

const isSelect = /^\s*(?:select|fetch)\b/i;

/** Columns of prepared statements, and the keys of the shape that they matched. */
const checked = new WeakMap<readonly string[], readonly string[]>();

/** How a Db reads `rows`, and how a failed statement affects the transaction, as on SQLite. */
type Reading = 'streamed' | 'brief' | 'gathered' | 'guarded';

/** Thrown into a read that was expected to be short and turns out to be long, before it has seen any row. */
export class NotBrief extends Error {}

/** Takes the statement with which a call ends. */
type TakeLast = NonNullable<Db['last']>;

/** Access to a PostgreSQL transaction for one unit of work; unusable after `end`. */
export class PostgresDb implements Db {
  readonly #link: Link;
  readonly #reading: Reading;
  readonly #signal: AbortSignal | undefined;
  readonly #sending: (() => void) | undefined;
  readonly #last: TakeLast | undefined;
  #lastWanted = false;
  #ended = false;
  #failure: unknown;
  #changed = false;
  #answered = false;
  #tail: Promise<unknown> = Promise.resolve();

  /** `sending` is called before each statement is sent and may refuse it by throwing; `last` takes one in its place. */
  constructor(link: Link, reading: Reading, signal?: AbortSignal, sending?: () => void, last?: TakeLast) {
    this.#link = link;
    this.#reading = reading;
    this.#signal = signal;
    this.#sending = sending;
    this.#last = last;
  }

  get last(): TakeLast | undefined {
    this.#lastWanted = true;
    return this.#last;
  }

  /** Whether the work would end with a single statement if it were given `last`. */
  get lastWanted(): boolean {
    return this.#lastWanted;
  }

  /** Whether a statement was sent that may have made changes. */
  get changed(): boolean {
    return this.#changed;
  }

  /** Whether a statement was answered, so its result may have been passed on. */
  get answered(): boolean {
    return this.#answered;
  }

  /** The error of the failed statement: PostgreSQL accepts no more statements in this transaction. */
  get failure(): unknown {
    return this.#failure;
  }

  rows<S extends Shape>(shape: S, query: Sql): AsyncIterable<Row<S>> {
    return this.#reading === 'gathered' ? this.#gathered(shape, query) : this.#streamed(shape, query);
  }

  /** All rows of a query at once, as arrays. */
  async few(shape: Shape, query: Sql): Promise<unknown[][]> {
    const reader = readerOf(shape);
    const rows = await this.#try(() => this.#select(reader, compiler.compile(query)));
    return rows.map((values) => reader.values(values));
  }

  async *batches(
    shape: Shape,
    query: Sql,
    { few = false }: BatchOptions = {},
  ): AsyncGenerator<readonly (readonly unknown[])[], void> {
    const reader = readerOf(shape);
    const compiled = compiler.compile(query);
    // A cursor cannot use a parallel plan, so a query that is likely to return few rows is tried without one.
    const isTried = few === 'likely' && this.#reading !== 'gathered';
    if (few || this.#reading === 'gathered') {
      const text = isTried ? `select * from (${compiled.text}) q limit ${rowsAtATime + 1}` : compiled.text;
      const rows = await this.#try(() => this.#select(reader, { ...compiled, text }));
      if (!isTried || rows.length <= rowsAtATime) {
        if (rows.length > 0) yield rows.map((values) => reader.values(values));
        return;
      }
    }
    for await (const rows of this.#fetched(reader, compiled)) yield rows.map((values) => reader.values(values));
  }

  all<S extends Shape>(shape: S, query: Sql): Promise<Row<S>[]> {
    const reader = readerOf(shape);
    return this.#try(async () => {
      const rows = await this.#briefly(reader, compiler.compile(query));
      return rows.map((values) => reader.read(values));
    });
  }

  first<S extends Shape>(shape: S, query: Sql): Promise<Row<S> | undefined> {
    const reader = readerOf(shape);
    return this.#try(async () => {
      const [values] = await this.#briefly(reader, compiler.compile(query));
      return values === undefined ? undefined : reader.read(values);
    });
  }

  run(statement: Sql): Promise<number> {
    return this.#try(async () => {
      this.#changed = true;
      const result = await this.#link.query(compiler.compile(statement), { signal: this.#signal });
      return result.count;
    });
  }

  runAll(statements: readonly Sql[]): Promise<void> {
    return this.#try(async () => {
      this.#changed = true;
      await this.#link.queryAll(
        statements.map((statement) => compiler.compile(statement)),
        this.#signal,
      );
    });
  }

  insert(
    table: string,
    columns: readonly string[],
    rows: Iterable<readonly Bindable[]>,
    replacing?: readonly string[],
  ): Promise<void> {
    return this.#try(async () => {
      this.#changed = true;
      for (const statement of insertStatements(table, columns, rows, replacing)) {
        await this.#link.query(statement, { signal: this.#signal });
      }
    });
  }

  load(table: string, columns: readonly string[], batches: AsyncIterable<BoundRows | GivenRows>): Promise<number> {
    return this.#try(async () => {
      const types = await this.#copyTypes(table, columns);
      const text = `copy ${quoted(table)} (${columns.map(quoted).join(', ')}) from stdin (format binary)`;
      return copied(this.#link, text, types, batches, this.#signal);
    });
  }

  truncate(table: string): Promise<void> {
    return this.#try(async () => {
      await this.#link.exec(`truncate ${quoted(table)} restart identity`, this.#signal);
    });
  }

  async #copyTypes(table: string, columns: readonly string[]): Promise<CopyType[]> {
    const { rows } = await this.#link.query({ text: typesOfColumns, parameters: [quoted(table)] });
    const types = new Map(rows.map(([name, type]) => [name, copyTypes[Number(type)]]));
    return columns.map((name) => {
      const type = types.get(name);
      if (type === undefined) throw new EngineFault(`The column ${name} of ${table} cannot be copied into.`);
      return type;
    });
  }

  end(): void {
    this.#ended = true;
  }

  async *#gathered<S extends Shape>(shape: S, query: Sql): AsyncGenerator<Row<S>, void> {
    yield* await this.all(shape, query);
  }

  /** Most results are small and are fetched at once by a prepared statement; only a larger one is worth a cursor. */
  async *#streamed<S extends Shape>(shape: S, query: Sql): AsyncGenerator<Row<S>, void> {
    const reader = readerOf(shape);
    const compiled = compiler.compile(query);
    const few = await this.#try(() =>
      this.#briefly(reader, { ...compiled, text: `select * from (${compiled.text}) q limit ${rowsAtATime + 1}` }),
    );
    if (few.length <= rowsAtATime) {
      for (const values of few) yield reader.read(values);
      return;
    }
    if (this.#reading === 'brief') throw this.#latch(new NotBrief());
    for await (const rows of this.#fetched(reader, compiled)) for (const values of rows) yield reader.read(values);
  }

  /** An SQL cursor, not a protocol portal: other statements may run while its rows are read. */
  async *#fetched<S extends Shape>(
    reader: RowReader<S>,
    { text, parameters }: Compiled,
  ): AsyncGenerator<StoredValue[][], void> {
    const cursor = `rows_${nextCursor++}`;
    const fetch: Compiled = { text: `fetch ${rowsAtATime} from ${cursor}`, parameters: [] };
    await this.#try(() => {
      const declare = { text: `declare ${cursor} no scroll cursor for ${text}`, parameters };
      return this.#link.query(declare, { prepared: false, signal: this.#signal });
    });
    for (;;) {
      const rows = await this.#try(() => this.#select(reader, fetch, { prepared: false }));
      if (rows.length > 0) yield rows;
      if (rows.length < rowsAtATime) break;
    }
    await this.#try(() => this.#link.exec(`close ${cursor}`, this.#signal));
  }

  /** The rows of a query; those of a `brief` read may be shared and must not be modified. */
  #briefly<S extends Shape>(reader: RowReader<S>, compiled: Compiled): Promise<StoredValue[][]> {
    return this.#select(reader, compiled, { shared: this.#reading === 'brief' });
  }

  async #select<S extends Shape>(
    reader: RowReader<S>,
    compiled: Compiled,
    options: { readonly prepared?: boolean; readonly shared?: boolean } = {},
  ): Promise<StoredValue[][]> {
    if (!isSelect.test(compiled.text)) this.#changed = true;
    const { columns, rows } = await this.#link.query(compiled, { wide: reader.wide, signal: this.#signal, ...options });
    if (checked.get(columns) !== reader.keys) {
      reader.checkColumns(columns, compiled.text);
      checked.set(columns, reader.keys);
    }
    return rows;
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
      this.#sending?.();
      const value = await step();
      this.#answered = true;
      return value;
    } catch (error) {
      throw this.#latch(error);
    }
  }

  #latch<E>(error: E): E {
    this.#failure ??= error;
    return error;
  }

  /** A client's transaction must survive a failed statement, so each statement runs in a savepoint. */
  async #inSavepoint<T>(step: () => Promise<T>): Promise<T> {
    this.#check();
    await this.#link.exec('savepoint statement');
    try {
      const value = await step();
      await this.#link.exec('release statement');
      return value;
    } catch (error) {
      await this.#link.exec('rollback to statement; release statement');
      throw error instanceof Conflict ? sqlError(3960, '', '') : error;
    }
  }

  #check(): void {
    if (this.#ended) throw new EngineFault('A database was used after its unit of work had ended.');
    if (this.#failure !== undefined) throw afterFailure(this.#failure);
  }
}

const typesOfColumns = `
  select attname, atttypid::int from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`;
