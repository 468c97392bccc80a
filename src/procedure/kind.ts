import type { Db } from '../engine/db.ts';
import type { Schema } from '../engine/engine.ts';
import type { Sql } from '../engine/sql.ts';
import type { AnyProcedure } from './declare.ts';
import type { Relation } from './relations/relation.ts';

/** Background maintenance between calls, in small transactions: a step returns true while more is left. */
export interface Upkeep {
  readonly name: string;
  /** True if no call can see what it changes (`WriteOptions.isUnseen`). */
  readonly isUnseen?: boolean;
  /** True if a step is correct whatever others do to other rows meanwhile (`WriteOptions.byRows`). */
  readonly byRows?: boolean;
  step(db: Db, now: Date): Promise<boolean>;
}

/** An invariant of the rows of a database between any two calls; `granary check` looks for violations. */
export interface Rule {
  readonly rule: string;
  /** A query for violations, in a column `broken`. */
  readonly broken: Sql;
}

/** Objects that are counted by state for operators. */
export interface Tally {
  /** The name of the metric: `jobs` is shown as `granary_jobs`. */
  readonly name: string;
  readonly help: string;
  /** A query for `state` and `count`. It runs every few seconds, so it must read few rows however many there are. */
  readonly counts: Sql;
}

/** A kind of database: one protocol's procedures, tables and schema. */
export interface Kind {
  /** `translation`, `word`, `word2`, `config`, `search`, … */
  readonly name: string;
  /** The database of this kind that the first start creates. */
  readonly firstDatabase: string;
  readonly procedures: readonly AnyProcedure[];
  /** The tables and views that clients may SELECT from. */
  readonly relations: readonly Relation[];
  readonly schema: Schema;
  /** The last row version assigned, if the kind has row versions: @@DBTS. */
  rowVersion?(db: Db): Promise<bigint>;
  readonly upkeep?: readonly Upkeep[];
  readonly rules?: readonly Rule[];
  readonly tallies?: readonly Tally[];
  /** Fills the database of this name at first start; may run again after an interrupted start. */
  firstContents?(db: Db, database: string): Promise<void>;
  /** True if a database of the kind is self-contained: then every new one is filled this way. */
  readonly isWhole?: boolean;
}
