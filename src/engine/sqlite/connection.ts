import { basename } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { Shape, StoredValue } from '../../base/stored.ts';
import type { Parameter } from '../compile.ts';
import { EngineFault } from '../fault.ts';
import type { RowReader } from '../shape.ts';
import { isFailedSync, type KeyLookup, translated } from './errors.ts';
import { Journal } from './far/journal.ts';
import { Watch } from './far/watch.ts';
import { tick, watchedText } from './far/watched-text.ts';
import { existingFile } from './files/existing-file.ts';
import { KeptTexts } from './kept-texts.ts';
import { Plans } from './plans.ts';

/** What a connection is for: the writer, or a reader of a snapshot. */
type Role = 'writer' | 'reader';

/** The size in bytes to which the log file is truncated when the log restarts. */
export const keptLog = 64 * 1024 ** 2;

/**
 * With synchronous=NORMAL the file stays consistent, but COMMIT returns before the log is on disk: the writer syncs the
 * log itself before it acknowledges anything (log-sync.ts). Checkpoints are left to the checkpointer, so that no commit
 * runs one on the side. LIKE is case-sensitive, as on PostgreSQL.
 */
export const pragmas: Record<Role, string> = {
  writer: `
    pragma busy_timeout = 5000;
    pragma journal_mode = wal;
    pragma synchronous = normal;
    pragma foreign_keys = on;
    pragma wal_autocheckpoint = 0;
    pragma journal_size_limit = ${keptLog};
    pragma temp_store = memory;
    pragma cache_size = -16384;
    pragma trusted_schema = off;
    pragma case_sensitive_like = on;`,
  reader: `
    pragma busy_timeout = 5000;
    pragma query_only = on;
    pragma temp_store = memory;
    pragma cache_size = -8192;
    pragma trusted_schema = off;
    pragma case_sensitive_like = on;`,
};

/** A cached statement. */
interface Prepared {
  readonly statement: StatementSync;
  /** True if it may take long, so that it calls the watchdog (watch.ts). */
  readonly isWatched: boolean;
  /** True if it changes nothing. */
  readonly isReading: boolean;
  /** True if it changes something only if it changes rows. */
  readonly isOfRows: boolean;
  /** True while its rows are being read: running it again would end that read. */
  isOpen: boolean;
  /** The reader that has checked its column names. */
  checkedBy?: RowReader<Shape>;
}

/** Rows that are fetched one by one. `undefined` follows the last one; a reader that needs no more calls `stop`. */
export interface StoredRows {
  take(): readonly StoredValue[] | undefined;
  stop(): void;
}

/** A connection with its prepared statements; every statement is run here, and every error is translated. */
export class Connection {
  readonly path: string;
  readonly #role: Role;
  readonly #database: DatabaseSync;
  /** By text; those of `wide` return bigints. */
  readonly #plain = new KeptTexts<Prepared>();
  readonly #wide = new KeptTexts<Prepared>();
  #logPages: StatementSync | undefined;
  #snapshot: Record<'begin' | 'look' | 'end', StatementSync> | undefined;
  #version: StatementSync | undefined;
  readonly #watch = new Watch();
  readonly #plans: Plans;
  /** The changes since the journal was last cleared. */
  readonly journal = new Journal();
  /** Whether a statement has changed anything since the writer last set this to false. */
  hasChanged = false;
  /** Whether a statement that takes too long is aborted with an Overrun: its caller must know how to continue. */
  isWatching = false;
  /** Called when a sync of SQLite's own fails: that of the header of a restarted log is part of a commit. */
  onFailedSync: (cause: unknown) => void = () => {};
  /** The database's name in file errors: the one its clients use, if given. */
  database: string;

  /** `pageSize` applies to a file that does not exist yet. */
  constructor(path: string, role: Role, pageSize?: number) {
    this.path = path;
    this.database = basename(path, '.db');
    this.#role = role;
    this.#database = opened(path, role, pageSize);
    this.#database.function(tick, { varargs: true }, this.#watch.tick);
    this.#plans = new Plans(this.#database);
  }

  /** Whether a transaction is open: SQLite ends one on its own if the disk is full or failing. */
  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** Runs text that is not cached: pragmas, migrations. */
  exec(text: string): void {
    this.hasChanged = true;
    try {
      this.#database.exec(text);
    } catch (error) {
      throw this.translated(error, text);
    }
  }

  /** Prepares a statement that the caller keeps, for statements that run with every call. */
  prepare(text: string): StatementSync {
    return this.#database.prepare(text);
  }

  /**
   * Runs a statement and returns the number of rows it changed. `values` returns the values that were to be inserted
   * into given columns.
   */
  run(text: string, parameters: readonly Parameter[], values?: KeyLookup['values']): number {
    try {
      const prepared = this.#prepared(text, false);
      this.#begin(prepared);
      const { changes } = prepared.statement.run(...inputs(parameters));
      this.#noteChange(prepared, Number(changes), text, parameters);
      return Number(changes);
    } catch (error) {
      throw this.translated(error, text, values);
    }
  }

  all(reader: RowReader<Shape>, text: string, parameters: readonly Parameter[]): (readonly StoredValue[])[] {
    try {
      const prepared = this.#checked(reader, text);
      this.#begin(prepared);
      const rows = prepared.statement.all(...inputs(parameters));
      if (!prepared.isReading) this.#noteChange(prepared, rows.length, text, parameters);
      return arrays(rows);
    } catch (error) {
      throw this.translated(error, text);
    }
  }

  first(reader: RowReader<Shape>, text: string, parameters: readonly Parameter[]): readonly StoredValue[] | undefined {
    try {
      const prepared = this.#checked(reader, text);
      this.#begin(prepared);
      const row = prepared.statement.get(...inputs(parameters));
      if (!prepared.isReading) this.#noteChange(prepared, row === undefined ? 0 : 1, text, parameters);
      return row === undefined ? undefined : arrays([row])[0];
    } catch (error) {
      throw this.translated(error, text);
    }
  }

  /** Yields the rows of a query on demand. The watchdog only covers the time to the first row. */
  iterate(reader: RowReader<Shape>, text: string, parameters: readonly Parameter[]): StoredRows {
    try {
      const prepared = this.#checked(reader, text);
      const rows = prepared.statement.iterate(...inputs(parameters));
      prepared.isOpen = true;
      let isFirst = true;
      return {
        take: () => {
          try {
            if (prepared.isWatched) this.#watch.begin(isFirst && this.isWatching);
            isFirst = false;
            const { done, value } = rows.next();
            return done === true ? undefined : arrays([value])[0];
          } catch (error) {
            throw this.translated(error, text);
          }
        },
        stop: () => {
          if (!prepared.isOpen) return;
          prepared.isOpen = false;
          rows.return?.();
        },
      };
    } catch (error) {
      throw this.translated(error, text);
    }
  }

  hasTable(name: string): boolean {
    return this.prepare('select 1 from sqlite_schema where name = ?').get(name) !== undefined;
  }

  /**
   * The number of pages in the log; NOOP asks for it without a checkpoint. It is called after a commit, which stands
   * whatever state the file is in: returns 0 if the number cannot be determined, and the next checkpoint or commit
   * reports the cause.
   */
  logPages(): number {
    try {
      this.#logPages ??= this.#database.prepare('pragma wal_checkpoint(noop)');
      return Number(this.#logPages.get()?.['log']);
    } catch {
      return 0;
    }
  }

  /** Changes whenever another connection, in this process or another, has committed. */
  othersVersion(): number {
    this.#version ??= this.#database.prepare('pragma data_version');
    return Number(this.#version.get()?.['data_version']);
  }

  /** Bytes in a page of the file. */
  pageSize(): number {
    return Number(this.#database.prepare('pragma page_size').get()?.['page_size']);
  }

  /** Opens a transaction and takes its snapshot, which a bare `begin` would only take at the first query. */
  snapshot(): void {
    this.#snapshot ??= {
      begin: this.prepare('begin'),
      look: this.prepare('select 1 from sqlite_schema limit 1'),
      end: this.prepare('commit'),
    };
    try {
      this.#snapshot.begin.run();
      this.#snapshot.look.get();
    } catch (error) {
      throw this.translated(error, 'begin');
    }
  }

  endSnapshot(): void {
    if (!this.inTransaction) return;
    try {
      this.#snapshot?.end.run();
    } catch (error) {
      throw this.translated(error, 'commit');
    }
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #noteChange({ isOfRows }: Prepared, rows: number, text: string, parameters: readonly Parameter[]): void {
    this.hasChanged ||= rows > 0 || !isOfRows;
    this.journal.add(text, parameters);
  }

  #begin({ isWatched }: Prepared): void {
    if (isWatched) this.#watch.begin(this.isWatching);
  }

  #prepared(text: string, wide: boolean): Prepared {
    const cache = wide ? this.#wide : this.#plain;
    const known = cache.get(text);
    if (known !== undefined && !known.isOpen) return known;
    const isWatched = this.#role === 'writer' && this.#plans.mayBeLong(text);
    const statement = this.#database.prepare(
      isWatched ? watchedText(text, (table) => this.#plans.keyColumn(table)) : text,
    );
    // Called on each statement: Node 22 does not accept this as an option.
    statement.setReturnArrays(true);
    if (wide) statement.setReadBigInts(true);
    const prepared: Prepared = {
      statement,
      isWatched,
      isReading: /^\s*select\b/i.test(text),
      isOfRows: /^\s*(?:insert|update|delete)\b/i.test(text),
      isOpen: false,
    };
    cache.set(text, prepared);
    return prepared;
  }

  /** Translates an error of the database file into one of Granary's. */
  translated(error: unknown, text: string, values?: KeyLookup['values']): Error {
    if (isFailedSync(error)) this.onFailedSync(error);
    return translated(error, text, {
      indexName: (table, columns) => this.indexName(table, columns),
      ...(this.#role === 'writer' ? { file: this } : {}),
      ...(values === undefined ? {} : { values }),
    });
  }

  /**
   * The name of the unique index on exactly these columns; for one that a table's own constraint created, the name that
   * PostgreSQL would give it.
   */
  indexName(table: string, columns: readonly string[]): string | undefined {
    const indexes = this.prepare('select name, origin from pragma_index_list(?) where "unique" = 1').all(table);
    const wanted = columns.join();
    for (const { name, origin } of indexes) {
      const parts = this.prepare('select name from pragma_index_info(?) order by seqno').all(name ?? null);
      if (parts.map((part) => part['name']).join() !== wanted) continue;
      return origin === 'c' ? String(name) : `${[table, ...columns].join('_')}_key`;
    }
    return undefined;
  }

  #checked(reader: RowReader<Shape>, text: string): Prepared {
    const prepared = this.#prepared(text, reader.wide);
    if (prepared.checkedBy === reader) return prepared;
    reader.checkColumns(
      prepared.statement.columns().map((column) => column.name),
      text,
    );
    prepared.checkedBy = reader;
    return prepared;
  }
}

function opened(path: string, role: Role, pageSize: number | undefined): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(role === 'writer' ? path : existingFile(path));
    if (pageSize !== undefined) database.exec(`pragma page_size = ${pageSize}`);
    database.exec(pragmas[role]);
    addFunctions(database);
    return database;
  } catch (error) {
    database?.close();
    throw new EngineFault(`The database file ${path} cannot be opened.`, { cause: error });
  }
}

/** No fragment of SQLite has a parameter that is a column, so all parameters are plain values. */
function inputs(parameters: readonly Parameter[]): SQLInputValue[] {
  return parameters as SQLInputValue[];
}

/** With `setReturnArrays` each row is an array, which the driver's types do not express. */
function arrays(rows: readonly unknown[]): (readonly StoredValue[])[] {
  return rows as (readonly StoredValue[])[];
}

/**
 * Adds functions under PostgreSQL's names for what SQLite calls max and min of several values; like there, NULLs are
 * ignored.
 */
function addFunctions(database: DatabaseSync): void {
  const pick =
    (better: (one: StoredValue, other: StoredValue) => boolean) =>
    (...values: StoredValue[]): StoredValue =>
      values.reduce((best, value) => (value !== null && (best === null || better(value, best)) ? value : best), null);
  const options = { deterministic: true, varargs: true, useBigIntArguments: true };
  database.function(
    'greatest',
    options,
    pick((one, other) => one !== null && other !== null && one > other),
  );
  database.function(
    'least',
    options,
    pick((one, other) => one !== null && other !== null && one < other),
  );
}
