import type { Clock } from '../base/clock.ts';
import type { Service } from '../base/service.ts';
import type { Database, Db, LockWait } from './db.ts';
import type { DatabaseFigures } from './figures.ts';
import type { SharedLocks } from './shared-locks.ts';

/** One step of a database's schema: a numbered SQL file of an area, which counts its own. */
export interface Migration {
  /**
   * What part of the database it makes: `jobs`, `translation`, … No two folders that a database is made from share
   * one.
   */
  readonly area: string;
  readonly number: number;
  readonly name: string;
  readonly text: string;
}

/** What a new database of a kind is made from. */
export interface Schema {
  readonly kind: string;
  readonly migrations: readonly Migration[];
  /**
   * Bytes in a page of a new SQLite file (4,096 unless said otherwise). Every page that a commit changes is written
   * whole, so tables of which single small rows change all the time want small ones.
   */
  readonly pageSize?: number;
}

/** A database as the list has it. */
export interface ListedDatabase {
  readonly name: string;
  readonly kind: string;
  readonly id: number;
  readonly created: Date;
}

/** How much room a database takes. */
export interface DatabaseSize {
  readonly name: string;
  readonly bytes: number;
  /** Of which so many in a log that is not yet in its file. */
  readonly logBytes: number;
}

/**
 * Puts into the database of this name, which was just made, what it begins with; may run again where a crash cut it
 * short.
 */
export type Contents = (db: Db, database: string) => Promise<unknown>;

/** A storage engine: keeps the list of databases, and opens and migrates each of them. */
export interface Engine extends Service {
  readonly name: 'sqlite' | 'postgres';
  /** Granary's own database (logins, roles, settings); it exists from the start. */
  readonly system: Database;
  /** The authoritative clock: the store's own where nodes share one. */
  readonly clock: Clock;
  /** Snapshots and transactions that clients may hold at the same moment, of all databases together. */
  readonly mostHeld: number;
  /** Locks on names that all nodes see; undefined where there is but one. */
  readonly sharedLocks?: SharedLocks;
  /** The databases there are, by name; names compare without regard to case. */
  list(): Promise<readonly ListedDatabase[]>;
  /** Opens a database, or returns undefined when there is none of that name. */
  open(name: string): Promise<Database | undefined>;
  /** Who waits for whose transaction now, by the names of the databases. */
  waits(): Promise<readonly (LockWait & { readonly database: string })[]>;
  /** How much room each database takes, Granary's own among them. */
  sizes(): Promise<readonly DatabaseSize[]>;
  /** Figures of the open databases, including Granary's own; concerns this process only. */
  figures(): Promise<readonly DatabaseFigures[]>;
  /** The databases that could not be opened, and why. */
  suspects(): ReadonlyMap<string, string>;
  /** Why the store is unavailable, if known: PostgreSQL cannot be reached. Calls wait for it for a while. */
  absence(): string | undefined;
  /** What is wrong with what the databases are kept in, by name; those that are whole are left out. */
  damage(): Promise<ReadonlyMap<string, readonly string[]>>;
  /**
   * Makes a database; SqlError 1801 when the name is taken. It is there once it has its `contents`: one that a crash left
   * without them is nobody's, and is finished by who makes it again.
   */
  create(name: string, kind: string, contents?: Contents): Promise<Database>;
  /**
   * Takes in a database that `put` lays down at the place that it is told (a file, a schema); 1801 when the name is
   * taken.
   */
  adopt(name: string, kind: string, put: (place: string) => Promise<void>): Promise<Database>;
  /**
   * The same for a name that is taken: the database that has it is dropped once the other is whole, in the same step that gives that the
   * name, so that a failure, or a crash, costs nothing that is there. SqlError 3702 when another node has a transaction in it.
   */
  replace(name: string, kind: string, put: (place: string) => Promise<void>): Promise<void>;
  /**
   * Removes a database and all that is in it; SqlError 3701 when there is none, 3702 when another node has a transaction in it. What Granary's own database keeps of it,
   * `also` removes in the same step: either both are there after a crash or neither.
   */
  drop(name: string, also?: (db: Db) => Promise<unknown>): Promise<void>;
  /** Called before a stop: from now on nobody waits for an unreachable store. */
  giveUp?(): void;
}
