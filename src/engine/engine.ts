import type { Clock } from '../base/clock.ts';
import type { Service } from '../base/service.ts';
import type { Database, Db, LockWait } from './db.ts';
import type { DatabaseFigures } from './figures.ts';
import type { SharedLocks } from './shared-locks.ts';

/** One step of a database's schema: a numbered SQL file of an area; each area has its own numbering. */
export interface Migration {
  /**
   * The part of the database that it creates: `jobs`, `translation`, … Unique among the folders that a database is
   * created from.
   */
  readonly area: string;
  readonly number: number;
  readonly name: string;
  readonly text: string;
}

/** What a new database of a kind is created from. */
export interface Schema {
  readonly kind: string;
  readonly migrations: readonly Migration[];
  /**
   * The page size of a new SQLite file in bytes; 4,096 by default. A commit writes every changed page as a whole, so
   * tables in which single small rows change all the time are better off with small pages.
   */
  readonly pageSize?: number;
}

/** A database in the list. */
export interface ListedDatabase {
  readonly name: string;
  readonly kind: string;
  readonly id: number;
  readonly created: Date;
}

/** The disk space that a database uses. */
export interface DatabaseSize {
  readonly name: string;
  readonly bytes: number;
  /** The part of it in a log that has not been checkpointed yet. */
  readonly logBytes: number;
}

/** Fills the newly created database of this name with its initial contents; may run again if a crash interrupted it. */
export type Contents = (db: Db, database: string) => Promise<unknown>;

/** A storage engine: keeps the list of databases, and opens and migrates each of them. */
export interface Engine extends Service {
  readonly name: 'sqlite' | 'postgres';
  /** Granary's own database (logins, roles, settings), which always exists. */
  readonly system: Database;
  /** The authoritative clock: that of the store if nodes share one. */
  readonly clock: Clock;
  /** Snapshots and transactions that clients may hold at the same time, over all databases. */
  readonly mostHeld: number;
  /** Named locks that all nodes see; undefined if there is only one node. */
  readonly sharedLocks?: SharedLocks;
  /** All databases, by name; names are case-insensitive. */
  list(): Promise<readonly ListedDatabase[]>;
  /** Opens a database; undefined if there is none of that name. */
  open(name: string): Promise<Database | undefined>;
  /** Which sessions wait for whose transactions at present, with the names of the databases. */
  waits(): Promise<readonly (LockWait & { readonly database: string })[]>;
  /** The disk space used by each database, including Granary's own. */
  sizes(): Promise<readonly DatabaseSize[]>;
  /** Figures of the open databases, including Granary's own, for this process only. */
  figures(): Promise<readonly DatabaseFigures[]>;
  /** The databases that could not be opened, and why. */
  suspects(): ReadonlyMap<string, string>;
  /** Why the store is unavailable, if known: PostgreSQL cannot be reached. Calls wait for it for a while. */
  absence(): string | undefined;
  /** Why writes are refused at present although the store answers; undefined if they are not. */
  refusal(): Promise<string | undefined>;
  /** What is wrong with the stored data, by database; only damaged databases are included. */
  damage(): Promise<ReadonlyMap<string, readonly string[]>>;
  /**
   * Creates a database; SqlError 1801 if the name is taken. It exists once it has its `contents`: one that a crash left
   * without them is not listed and is completed by the next `create` of that name.
   */
  create(name: string, kind: string, contents?: Contents): Promise<Database>;
  /**
   * Adds a database whose data `put` writes at the place that it is given (a file, a schema); 1801 if the name is
   * taken.
   */
  adopt(name: string, kind: string, put: (place: string) => Promise<void>): Promise<Database>;
  /**
   * The same for a name that is taken: once the new database is complete, it takes the name and the old one is dropped
   * in a single transaction, so a failure or a crash loses nothing. SqlError 3702 if another node has a transaction in
   * the old one.
   */
  replace(name: string, kind: string, put: (place: string) => Promise<void>): Promise<void>;
  /**
   * Removes a database and its data; SqlError 3701 if it does not exist, 3702 if another node has a transaction in it.
   * `also` removes what Granary's own database stores about it in the same transaction, so that a crash leaves both or
   * neither.
   */
  drop(name: string, also?: (db: Db) => Promise<unknown>): Promise<void>;
  /** Called before a stop: from now on no call waits for an unreachable store. */
  giveUp?(): void;
}
