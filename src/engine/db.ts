import type { Bindable, Row, Shape } from '../base/stored.ts';
import type { Fragment, Sql } from './sql.ts';

/**
 * A handler's access to its database: statements inside a transaction that the caller begins and commits. A failed
 * statement ends the work: PostgreSQL accepts no other after it, so neither engine does. Rows that may already exist
 * are written with `on conflict`, never by catching an error.
 */
export interface Db {
  /**
   * The rows of a query, whose column names must be the shape's keys, in order. A read fetches them as they are
   * consumed; a write fetches all of them first, so the loop over them may change their table.
   */
  rows<S extends Shape>(shape: S, query: Sql): AsyncIterable<Row<S>>;
  /** The rows of a query as arrays of values in the order of the shape, in batches. */
  batches(shape: Shape, query: Sql, options?: BatchOptions): AsyncIterable<readonly (readonly unknown[])[]>;
  /** All rows of a query. */
  all<S extends Shape>(shape: S, query: Sql): Promise<Row<S>[]>;
  /** The first row of a query, or undefined. */
  first<S extends Shape>(shape: S, query: Sql): Promise<Row<S> | undefined>;
  /** Runs a statement and returns how many rows it changed. */
  run(statement: Sql): Promise<number>;
  /** Runs statements in order; a remote engine gets them in one message. */
  runAll(statements: readonly Sql[]): Promise<void>;
  /**
   * Present only if the engine can commit the work in the same round trip as its last statement: runs that statement.
   * The statement must fail in cases where the work would have more to do (`demanded` in sql.ts), since nothing can be
   * sent after it, and its result is not returned. If it fails, the work is run again without this method.
   * `together` lets calls that end alike do so with one statement for all of them.
   */
  readonly last?: ((statement: Sql, together?: Together) => Promise<void>) | undefined;
  /** True if a statement costs no round trip: two short ones are then faster than one that does the work of both. */
  readonly isHere?: boolean;
  /**
   * Inserts many rows in the way that is fastest for the engine. A duplicate key fails as it would in a single insert.
   * With `replacing`, a row replaces the one with the same values in these columns, which must be a key; no two of the
   * given rows may have the same values there.
   */
  insert(
    table: string,
    columns: readonly string[],
    rows: Iterable<readonly Bindable[]>,
    replacing?: readonly string[],
  ): Promise<void>;
  /**
   * Inserts rows that arrive in batches and returns their number. The next batch is requested once the engine has taken
   * the previous one, so the buffers of its values may be reused then.
   */
  load(table: string, columns: readonly string[], batches: AsyncIterable<BoundRows | GivenRows>): Promise<number>;
  /** Deletes all rows of a table and restarts its identity column, if any, at 1. */
  truncate(table: string): Promise<void>;
}

/** How a call can share the last statement of others. */
export interface Together {
  /** The same object for all calls that can share a statement. */
  readonly form: {
    readonly columns: Fragment['columns'];
    /** Does for each row what the statement of its call would do. */
    readonly statement: (rows: Fragment) => Sql;
  };
  /** The values of this call. */
  readonly row: readonly Bindable[];
  /** Names what the call changes: calls that change the same take effect one after another. */
  readonly what: string;
}

/** Rows of values, in the order of columns that were named. */
export type BoundRows = readonly (readonly Bindable[])[];

/** Rows that pass on their values one by one, so that no arrays are created for them. */
export interface GivenRows {
  readonly length: number;
  give(taker: RowTaker): void;
}

/** Takes the values of rows, in the order of the columns. */
export interface RowTaker {
  /** Starts a row; its values follow. */
  row(): void;
  value(value: Bindable): void;
  /** A 32-bit integer. */
  integer(value: number): void;
  /** A 64-bit integer, stored little-endian at this offset. */
  bigint(bytes: Buffer, start: number): void;
  /** UTF-16 text between these offsets. */
  utf16(bytes: Buffer, start: number, end: number): void;
  /** The fold of such text (`fold` in base/text/collation.ts). */
  folded(bytes: Buffer, start: number, end: number): void;
}

/** Rows of a query that can also be taken synchronously, as arrays of values in the order of their shape. */
export interface DirectRows {
  readonly shape: Shape;
  /** The next row, which then belongs to the caller; undefined after the last. */
  takeValues(): readonly unknown[] | undefined;
  /** Discards the remaining rows. */
  stop(): void;
}

/** How rows are read in batches. */
export interface BatchOptions {
  /**
   * True if there are so few rows that one response of the engine holds all of them, either certainly or very likely.
   */
  readonly few?: boolean | 'likely';
  /** True if nothing else is read from the snapshot: the one that the query takes is enough. */
  readonly only?: boolean;
}

/** The work that the next row may require: a few steps, a scan of a table, or a comparison of every pair of rows. */
export type Work = 'little' | 'linear' | 'unbounded';

/** How a read is to run. */
export interface ReadOptions {
  readonly signal?: AbortSignal;
  /**
   * What similar calls have in common, such as their procedure: an engine may decide how to run a call by how earlier
   * ones went.
   */
  readonly like?: object | undefined;
  /** How expensive the read may be; by default so cheap that nobody else notices. */
  readonly work?: Work | undefined;
}

/** A session that waits for the lock of a client's transaction. */
export interface LockWait {
  /** The waiting session and the blocking one. */
  readonly who: number;
  readonly blockedBy: number;
  readonly milliseconds: number;
}

/** How a write is to run. */
export interface WriteOptions extends ReadOptions {
  /** The session that writes. */
  readonly who?: number;
  /** True: excludes all other writers of this database, so that what it numbers is numbered in commit order. */
  readonly serial?: boolean | undefined;
  /** True: no call can see what it changes, so it refuses no snapshot that is to become a transaction. */
  readonly isUnseen?: boolean | undefined;
  /**
   * True: its result is correct whatever others do in the meantime to rows that it has neither changed nor locked, so
   * it need not be serializable with them. 'at once': only as long as it does not wait for anybody, because it returns
   * the time at which it ran.
   */
  readonly byRows?: boolean | 'at once' | undefined;
  /**
   * Milliseconds to wait for a lock held by a client's own transaction before error 1222; -1, the default, waits
   * indefinitely.
   */
  readonly lockTimeout?: number;
}

/** A client's own transaction, which stays open across calls until it is committed or rolled back. */
export interface Transaction {
  readonly db: Db;
  /**
   * Runs work in a savepoint of its own: if it fails, its changes are undone and the transaction continues, except
   * after error 3960, which requires a rollback.
   */
  run<T>(work: (db: Db) => Promise<T>, options?: WriteOptions): Promise<T>;
  save(name: string): Promise<void>;
  /** Returns false if there is no savepoint of that name. */
  rollbackTo(name: string): Promise<boolean>;
  /** Resolves when the commit is on disk. */
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/** One state of a database, held from the first read of a client's transaction onward. */
export interface Snapshot {
  readonly db: Db;
  /**
   * Turns the snapshot into a transaction with the write lock; error 3960 if it conflicts with what others have
   * committed since. After that or any other failure the snapshot is still held.
   */
  claim(options?: WriteOptions): Promise<Transaction>;
  /** Releases the snapshot; does nothing after it was claimed. */
  end(): Promise<void>;
}

/** One database: a SQLite file or a PostgreSQL schema. */
export interface Database {
  readonly name: string;
  readonly kind: string;
  /** Snapshots that clients may hold at the same time; a few more are reserved for the server itself. */
  readonly mostReaders: number;
  /** Clients' transactions that may be open at the same time. */
  readonly mostTransactions: number;
  /** Runs work on one consistent snapshot that may stay open while rows are sent; it never waits for a writer. */
  read<T>(work: (db: Db) => Promise<T>, options?: ReadOptions): Promise<T>;
  /**
   * The rows of one cheap query that returns few rows, as `Db.batches` would yield them, from a snapshot that lasts
   * only for the query.
   */
  few(shape: Shape, query: Sql, signal?: AbortSignal): Promise<readonly (readonly unknown[])[]>;
  /**
   * Runs work that is usually short on a snapshot that it may share with others; undefined if it has to be run with
   * `read` instead. Its rows are fetched all at once, and it must not wait for a client, because the others would wait
   * too.
   */
  readBriefly?<T>(work: (db: Db) => Promise<T>, options: ReadOptions): Promise<{ readonly value: T } | undefined>;
  /**
   * Runs work as one transaction and resolves when it is durable. It may be retried after a conflict, so it must have
   * no other side effects.
   */
  write<T>(work: (db: Db) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** Which sessions wait for whose transactions at present. */
  waits(): Promise<readonly LockWait[]>;
  /** Takes the write lock until the transaction ends. Called at the first write of a client's own transaction. */
  begin(options?: WriteOptions): Promise<Transaction>;
  /**
   * Holds a snapshot open. With `serializable`, its transaction fails unless it is serializable with all others;
   * without, it fails only if it would overwrite what another has changed (snapshot isolation).
   */
  hold(options: { readonly serializable: boolean; readonly signal?: AbortSignal }): Promise<Snapshot>;
}
