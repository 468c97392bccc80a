import { statSync } from 'node:fs';
import type { Row, Shape, StoredValue } from '../../base/stored.ts';
import { Compiler } from '../compile.ts';
import type { Db, Work } from '../db.ts';
import { EngineFault } from '../fault.ts';
import { type RowReader, readerOf } from '../shape.ts';
import type { Sql } from '../sql.ts';
import { sqliteDialect } from './dialect.ts';
import { translated } from './errors.ts';
import { existingFile } from './existing-file.ts';
import type { LogSync } from './log-sync.ts';
import type { ReaderAnswer, ReaderProcess, ReaderProcesses, ReaderRequest } from './reader-process.ts';

const compiler = new Compiler(sqliteDialect);

/** Sorts and groups that do not fit the cache go to a file: a query must not fill the memory of the machine. */
const pragmas = `
  pragma busy_timeout = 5000;
  pragma query_only = on;
  pragma temp_store = file;
  pragma cache_size = -16384;
  pragma trusted_schema = off;
  pragma case_sensitive_like = on;`;

/** Bytes of a file that SQLite reads through in a part of a turn: a process of its own is of no use for less. */
const soonRead = 4 * 1024 * 1024;

/** Reads that may take long: SQLite works in the thread that asks, so that another process has to do it. */
export class LongReads {
  readonly #path: string;
  readonly #sync: LogSync;
  readonly #processes: ReaderProcesses;
  readonly #open = new Set<ProcessDb>();

  constructor(path: string, sync: LogSync, processes: ReaderProcesses) {
    this.#path = path;
    this.#sync = sync;
    this.#processes = processes;
  }

  /** True for work that could keep others waiting if it were done here. */
  takes(work: Work): boolean {
    if (work !== 'linear') return work === 'unbounded';
    return sizeOf(this.#path) + sizeOf(`${this.#path}-wal`) >= soonRead;
  }

  read<T>(work: (db: Db) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#processes.use(async (process) => {
      const db = new ProcessDb(process, signal);
      this.#open.add(db);
      try {
        await db.begin(existingFile(this.#path).href);
        // What is seen may not be on disk yet; an answer that rests on it must not outlive it.
        await this.#sync.seen();
        return await work(db);
      } finally {
        this.#open.delete(db);
        await db.end();
      }
    }, signal);
  }

  /** Ends the snapshot that was taken first; false when there is none. */
  cutOldest(reason: Error): boolean {
    const [oldest] = this.#open;
    oldest?.cut(reason);
    return oldest !== undefined;
  }

  stop(): void {
    for (const db of this.#open) db.cut(new EngineFault('The database is being closed.'));
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** A snapshot that another process reads; nothing can be changed in it. */
class ProcessDb implements Db {
  readonly #process: ReaderProcess;
  readonly #signal: AbortSignal | undefined;
  readonly #cutting = new AbortController();
  #lastId = 0;

  constructor(process: ReaderProcess, signal: AbortSignal | undefined) {
    this.#process = process;
    this.#signal = signal;
  }

  async begin(file: string): Promise<void> {
    await this.#ask({ kind: 'begin', file, pragmas });
  }

  cut(reason: Error): void {
    this.#cutting.abort(reason);
  }

  async end(): Promise<void> {
    // One that was cancelled in the midst of a statement is gone, and its snapshot with it.
    if (!this.#isGone) await this.#process.run({ kind: 'end' });
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

  run = refused;
  insert = refused;
  load = refused;
  truncate = refused;

  async *#fetched<S extends Shape>(
    reader: RowReader<S>,
    query: Sql,
  ): AsyncGenerator<readonly (readonly StoredValue[])[], void> {
    const { text, parameters } = compiler.compile(query);
    const id = ++this.#lastId;
    // No fragment of SQLite has a parameter that is a column, so all parameters are plain values.
    const plain = parameters as readonly StoredValue[];
    let isOver = false;
    try {
      let answer = await this.#ask({ kind: 'query', id, text, parameters: plain, wide: reader.wide }, text);
      reader.checkColumns(answer.columns ?? [], text);
      for (;;) {
        isOver = answer.isLast === true;
        if (answer.rows !== undefined && answer.rows.length > 0) yield answer.rows;
        if (isOver) return;
        answer = await this.#ask({ kind: 'more', id }, text);
      }
    } finally {
      if (!isOver && !this.#isGone) await this.#process.run({ kind: 'stop', id });
    }
  }

  get #isGone(): boolean {
    return this.#cutting.signal.aborted || this.#signal?.aborted === true;
  }

  async #ask(request: ReaderRequest, text = ''): Promise<ReaderAnswer> {
    const { signal: cut } = this.#cutting;
    const signal = this.#signal === undefined ? cut : AbortSignal.any([this.#signal, cut]);
    try {
      return await this.#process.run(request, signal);
    } catch (error) {
      throw signal.aborted ? error : translated(error, text, { indexName: () => undefined });
    }
  }
}

function refused(): never {
  throw new EngineFault('What another process reads cannot be changed there.');
}
