import type { Bindable, Row, Shape } from '../base/stored.ts';
import type { Sql } from './sql.ts';

/**
 * A handler's access to its database: statements inside a transaction that the caller begins and commits. A failed
 * statement ends the work: PostgreSQL accepts no other after it, so neither engine does. Rows that may already exist are
 * written with `on conflict`, never by catching an error.
 */
export interface Db {
  /**
   * The rows of a query; the query's column names must be the shape's keys, in order. In a read they come as they are
   * asked for; in a write they are there at once, so that the loop over them may change their table.
   */
  rows<S extends Shape>(shape: S, query: Sql): AsyncIterable<Row<S>>;
  /** The rows of a query as arrays of values in the order of the shape, some at a time. */
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
   * Only there where the engine commits the work together with its one statement: runs that. It must fail where the work would
   * have more to do (`demanded` of sql.ts), for nothing can be sent after it, and what it gives is not told. If it
   * fails the work is run again, without this.
   */
  readonly last?: ((statement: Sql) => Promise<void>) | undefined;
  /** True if a statement costs no round trip: two short ones are then better than one that does the work of both. */
  readonly isHere?: boolean;
  /**
   * Inserts many rows in the way that is fastest for the engine. A duplicate key fails as it would one by one; with
   * `replacing`, a row takes the place of the one that has its values in these columns, which are a key, and no two of the
   * rows may have the same.
   */
  insert(
    table: string,
    columns: readonly string[],
    rows: Iterable<readonly Bindable[]>,
    replacing?: readonly string[],
  ): Promise<void>;
  /**
   * Inserts rows that come by and by, and returns how many: what is next is asked for when the engine has taken what
   * there was; then the bytes among the values may be used for something else.
   */
  load(table: string, columns: readonly string[], batches: AsyncIterable<BoundRows | GivenRows>): Promise<number>;
  /** Empties a table; a column that the engine numbers begins with 1 again. */
  truncate(table: string): Promise<void>;
}

/** Rows of values, in the order of columns that were named. */
export type BoundRows = readonly (readonly Bindable[])[];

/** Rows that hand over their values one by one, so that nobody has to make arrays of them. */
export interface GivenRows {
  readonly length: number;
  give(taker: RowTaker): void;
}

/** Takes the values of rows, in the order of the columns. */
export interface RowTaker {
  /** A row begins; its values follow. */
  row(): void;
  value(value: Bindable): void;
  /** A whole number of 32 bits. */
  integer(value: number): void;
  /** A whole number of 64 bits, whose low byte comes first at this place of some bytes. */
  bigint(bytes: Buffer, start: number): void;
  /** Text in UTF-16, at these places of some bytes. */
  utf16(bytes: Buffer, start: number, end: number): void;
  /** The fold of such a text (`fold` of base/collation.ts). */
  folded(bytes: Buffer, start: number, end: number): void;
}

/** Rows of a query that can also be taken at once, as arrays of values in the order of their shape. */
export interface DirectRows {
  readonly shape: Shape;
  /** The next row, which is the taker's; undefined after the last. */
  takeValues(): readonly unknown[] | undefined;
  /** Ends what is left of them. */
  stop(): void;
}

/** How rows are read in batches. */
export interface BatchOptions {
  /** True when there are so few rows that one answer of the engine holds them, for sure or in all likelihood. */
  readonly few?: boolean | 'likely';
  /** True when nothing else is asked of the snapshot: the query's own is enough. */
  readonly only?: boolean;
}

/** The work that the next row may require: a few steps, a scan of a table, or of every pair of rows. */
export type Work = 'little' | 'linear' | 'unbounded';

/** How a read is to run. */
export interface ReadOptions {
  readonly signal?: AbortSignal;
  /** What calls like this one have in common, their procedure: an engine may run a call as others of its kind went. */
  readonly like?: object | undefined;
  /** How expensive the read may be; by default cheap enough that nobody else notices. */
  readonly work?: Work | undefined;
}

/** Somebody who waits for the lock of a client's transaction. */
export interface LockWait {
  /** The session that waits, and the one that it waits for. */
  readonly who: number;
  readonly blockedBy: number;
  readonly milliseconds: number;
}

/** How a write is to run. */
export interface WriteOptions extends ReadOptions {
  /** The session that writes. */
  readonly who?: number;
  /** True: alone among the writers of this database, so that what it numbers is numbered in commit order. */
  readonly serial?: boolean | undefined;
  /**
   * True: what it does is right whatever others do meanwhile to rows that it has neither changed nor locked, so it need not be
   * serializable with them. 'at once': only as long as it waits for nobody, for it says when it ran.
   */
  readonly byRows?: boolean | 'at once' | undefined;
  /**
   * Milliseconds to wait for a lock that a client's own transaction holds before error 1222; -1, as by default, waits
   * for ever.
   */
  readonly lockTimeout?: number;
}

/** A client's own transaction: open across calls until it is committed or rolled back. */
export interface Transaction {
  readonly db: Db;
  /**
   * Runs work in a savepoint of its own: what fails leaves nothing and the transaction goes on, but for error 3960, after
   * which it is to be rolled back.
   */
  run<T>(work: (db: Db) => Promise<T>, options?: WriteOptions): Promise<T>;
  save(name: string): Promise<void>;
  /** Returns false when no savepoint has that name. */
  rollbackTo(name: string): Promise<boolean>;
  /** Resolves when the commit is on disk. */
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/** One state of a database, kept from the first read of a client's transaction on. */
export interface Snapshot {
  readonly db: Db;
  /**
   * Goes on as a transaction that has the write lock; 3960 when what others have committed since stands in the way. After
   * that, or another failure, the snapshot is still there.
   */
  claim(options?: WriteOptions): Promise<Transaction>;
  /** Gives the snapshot back; nothing happens after it was claimed. */
  end(): Promise<void>;
}

/** One database: a file of SQLite, a schema of PostgreSQL. */
export interface Database {
  readonly name: string;
  readonly kind: string;
  /** Snapshots that clients may hold at the same moment; a few more are kept for the server itself. */
  readonly mostReaders: number;
  /** Clients' transactions that can be open at the same moment. */
  readonly mostTransactions: number;
  /** Runs work on one consistent snapshot that may stay open while rows are sent; it never waits for a writer. */
  read<T>(work: (db: Db) => Promise<T>, options?: ReadOptions): Promise<T>;
  /**
   * The rows of one cheap query with few rows, as `Db.batches` would yield them, on a snapshot that ends with the
   * query.
   */
  few(shape: Shape, query: Sql, signal?: AbortSignal): Promise<readonly (readonly unknown[])[]>;
  /**
   * Runs work that is used to being short on a snapshot that it may share with others; undefined where it is to be run by
   * `read` instead. The rows it wants come at once, and it must not wait for a client: the others would too.
   */
  readBriefly?<T>(work: (db: Db) => Promise<T>, options: ReadOptions): Promise<{ readonly value: T } | undefined>;
  /**
   * Runs work as one transaction and resolves when it is on disk; it may be retried after a conflict, so it must have
   * no other effects.
   */
  write<T>(work: (db: Db) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** Who waits for whose transaction now. */
  waits(): Promise<readonly LockWait[]>;
  /** Takes the write lock until the transaction ends; called at the first write of a client's own transaction. */
  begin(options?: WriteOptions): Promise<Transaction>;
  /**
   * Keeps a snapshot open. With `serializable`, its transaction is refused whenever there is no order of all transactions
   * in which each saw what it saw; without, when it would overwrite what another has changed.
   */
  hold(options: { readonly serializable: boolean; readonly signal?: AbortSignal }): Promise<Snapshot>;
}
