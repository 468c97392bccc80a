import type { Bindable, Row, Shape, StoredValue } from '../../../base/stored.ts';
import { toStored } from '../../bind.ts';
import { Compiler } from '../../compile.ts';
import type { BoundRows, Db, GivenRows } from '../../db.ts';
import { boundRows } from '../../given-rows.ts';
import { onConflict } from '../../on-conflict.ts';
import { type RowReader, readerOf } from '../../shape.ts';
import { quoted, type Sql } from '../../sql.ts';
import { sqliteDialect } from '../dialect.ts';
import { type KeyLookup, translated } from '../errors.ts';
import { insertInto } from '../writes/insert-into.ts';
import { keyValues } from '../writes/row-inserts.ts';
import { type FarAnswer, FarFailure, type FarProcess, type FarRequest } from './far-process.ts';

const compiler = new Compiler(sqliteDialect);

/** Rows per message. */
const rowsAMessage = 500;

/** How statements are run in another process. */
interface FarWork {
  readonly process: FarProcess;
  /** Aborts a running statement, and with it the process and the transaction. */
  readonly signal: AbortSignal;
  /** Whether rows are read all at once, so that the loop over them may change their table. */
  readonly gathered: boolean;
  /** The names of the file's indexes. */
  readonly lookup: KeyLookup;
}

/** Runs statements of a transaction that is open in another process. */
export class FarDb implements Db {
  readonly #work: FarWork;
  #lastId = 0;

  constructor(work: FarWork) {
    this.#work = work;
  }

  async *rows<S extends Shape>(shape: S, query: Sql): AsyncGenerator<Row<S>, void> {
    const reader = readerOf(shape);
    for await (const rows of this.#fetched(reader, query)) for (const values of rows) yield reader.read(values);
  }

  async *batches(shape: Shape, query: Sql): AsyncGenerator<readonly (readonly unknown[])[], void> {
    const reader = readerOf(shape);
    for await (const rows of this.#fetched(reader, query)) yield rows.map((values) => reader.values(values));
  }

  all<S extends Shape>(shape: S, query: Sql): Promise<Row<S>[]> {
    return Array.fromAsync(this.rows(shape, query));
  }

  async first<S extends Shape>(shape: S, query: Sql): Promise<Row<S> | undefined> {
    for await (const row of this.rows(shape, query)) return row;
    return undefined;
  }

  async run(statement: Sql): Promise<number> {
    const { text, parameters } = compiler.compile(statement);
    return this.#run(text, plain(parameters));
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
    let together: StoredValue[][] = [];
    for (const row of rows) {
      together.push(row.map(toStored));
      if (together.length < rowsAMessage) continue;
      await this.#each(text, columns, together);
      together = [];
    }
    await this.#each(text, columns, together);
  }

  async load(
    table: string,
    columns: readonly string[],
    batches: AsyncIterable<BoundRows | GivenRows>,
  ): Promise<number> {
    let count = 0;
    for await (const rows of batches) {
      await this.insert(table, columns, boundRows(rows));
      count += rows.length;
    }
    return count;
  }

  async truncate(table: string): Promise<void> {
    await this.#run(`delete from ${quoted(table)}`, []);
    const numbered = { kind: 'query', id: ++this.#lastId, wide: false, gathered: true } as const;
    const text = "select 1 from sqlite_schema where name = 'sqlite_sequence'";
    const { rows = [] } = await this.#ask({ ...numbered, text, parameters: [] }, text);
    if (rows.length > 0) await this.#run('delete from sqlite_sequence where name = ?', [table]);
  }

  /** Runs text without values. */
  async exec(text: string): Promise<void> {
    await this.#ask({ kind: 'exec', text }, text);
  }

  async #run(text: string, parameters: readonly StoredValue[]): Promise<number> {
    const { changes = 0 } = await this.#ask({ kind: 'run', statements: [{ text, parameters }] }, text);
    return changes;
  }

  async #each(text: string, columns: readonly string[], rows: readonly (readonly StoredValue[])[]): Promise<void> {
    if (rows.length === 0) return;
    await this.#ask({ kind: 'each', text, rows }, text, (key, row) =>
      keyValues(key.map((column) => rows[row]?.[columns.indexOf(column)])),
    );
  }

  async *#fetched<S extends Shape>(
    reader: RowReader<S>,
    query: Sql,
  ): AsyncGenerator<readonly (readonly StoredValue[])[], void> {
    const { text, parameters } = compiler.compile(query);
    const id = ++this.#lastId;
    const { gathered, process, signal } = this.#work;
    const { wide } = reader;
    let isOver = false;
    try {
      let answer = await this.#ask({ kind: 'query', id, text, parameters: plain(parameters), wide, gathered }, text);
      reader.checkColumns(answer.columns ?? [], text);
      for (;;) {
        isOver = answer.isLast === true;
        if (answer.rows !== undefined && answer.rows.length > 0) yield answer.rows;
        if (isOver) return;
        answer = await this.#ask({ kind: 'more', id }, text);
      }
    } catch (error) {
      isOver = true;
      throw error;
    } finally {
      if (!isOver && !signal.aborted) await process.run({ kind: 'stop', id });
    }
  }

  async #ask(
    request: FarRequest,
    text: string,
    values?: (key: readonly string[], row: number) => string | undefined,
  ): Promise<FarAnswer> {
    const { process, signal, lookup } = this.#work;
    try {
      return await process.run(request, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      const row = error instanceof FarFailure ? error.row : undefined;
      const told = values && row !== undefined ? { values: (key: readonly string[]) => values(key, row) } : {};
      throw translated(error, text, { ...lookup, ...told });
    }
  }
}

/** No fragment of SQLite has a parameter that is a column, so all parameters are plain values. */
const plain = (parameters: readonly unknown[]): readonly StoredValue[] => parameters as readonly StoredValue[];
