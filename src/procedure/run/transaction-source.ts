import type { Shape } from '../../base/stored.ts';
import type { Db, ReadOptions, WriteOptions } from '../../engine/db.ts';
import type { Sql } from '../../engine/sql.ts';

/** Provides the transaction of a call: its own, or the client's. */
export interface TransactionSource {
  /** Runs work on a snapshot. */
  read<T>(work: (db: Db) => Promise<T>, options: Pick<ReadOptions, 'like' | 'work'>): Promise<T>;
  /** The rows of one cheap query with few rows; undefined if they must be read in a client's transaction. */
  few?(shape: Shape, query: Sql): Promise<readonly (readonly unknown[])[]> | undefined;
  /** Runs work on a shared snapshot if its kind is usually short; undefined if it did not. */
  readBriefly?<T>(
    work: (db: Db) => Promise<T>,
    options: Pick<ReadOptions, 'like'>,
  ): Promise<{ readonly value: T } | undefined> | undefined;
  /** Runs work as one transaction, or as a savepoint of the client's. */
  write<T>(work: (db: Db) => Promise<T>, options: Pick<WriteOptions, 'like' | 'serial' | 'byRows'>): Promise<T>;
}
