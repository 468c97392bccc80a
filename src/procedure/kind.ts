import type { Db } from '../engine/db.ts';
import type { Schema } from '../engine/engine.ts';
import type { Sql } from '../engine/sql.ts';
import type { AnyProcedure } from './declare.ts';
import type { Relation } from './relation.ts';

/** Work that a database does for itself between calls, in small transactions: a step returns true while more is left. */
export interface Upkeep {
  readonly name: string;
  step(db: Db, now: Date): Promise<boolean>;
}

/** What holds of the rows of a database between any two calls; `granary check` looks for what breaks it. */
export interface Rule {
  readonly rule: string;
  /** A query for what breaks the rule, in a column `broken`. */
  readonly broken: Sql;
}

/** Things of a database that operators see counted by the state that they are in. */
export interface Tally {
  /** Of the figure: `jobs` is shown as `granary_jobs`. */
  readonly name: string;
  readonly help: string;
  /** A query for `state` and `count`. It is asked every few seconds, so it reads few rows however many there are. */
  readonly counts: Sql;
}

/** A kind of database: one protocol's procedures, tables and schema. */
export interface Kind {
  /** `translation`, `word`, `word2`, `config`, `search`, … */
  readonly name: string;
  /** The database of this kind that first start makes. */
  readonly firstDatabase: string;
  readonly procedures: readonly AnyProcedure[];
  /** The tables and views that clients may SELECT from. */
  readonly relations: readonly Relation[];
  readonly schema: Schema;
  /** The last row version that was given out, where the kind has row versions: @@DBTS. */
  rowVersion?(db: Db): Promise<bigint>;
  readonly upkeep?: readonly Upkeep[];
  readonly rules?: readonly Rule[];
  readonly tallies?: readonly Tally[];
  /** Fills the database of this name, which first start makes; it may run again after a start that did not come to its end. */
  firstContents?(db: Db, database: string): Promise<void>;
  /** True where a database of the kind needs no other: then all of them are filled so when they are made. */
  readonly isWhole?: boolean;
}
