import type { MemoryBudget } from '../../base/memory/memory-budget.ts';
import { type SqlError, sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import { ownValues } from '../../base/text/own-part.ts';
import type { Steps } from '../../base/threads/steps.ts';
import type { TableDefinition } from '../../syntax/ast/table.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { sizeOf, sizeOfTree } from '../query/run.ts';
import { HeldMemory } from './held-memory.ts';
import { type KeyFacts, TableKeys } from './table-keys.ts';
import type { UndoLog } from './undo-log.ts';

/** A column of a table in memory. */
export interface TableColumn {
  readonly name: string;
  readonly type: AnyType;
  readonly nullable: boolean;
  /** True when values are kept without blanks or zeros at their end: what ANSI_PADDING OFF makes. */
  readonly unpadded?: boolean;
  readonly identity?: { readonly seed: bigint; readonly increment: bigint };
}

/** The place of the column of that name; the given error if there is none. */
export function columnPlace(columns: readonly { readonly name: string }[], name: string, missing: 207 | 1911): number {
  const at = columns.findIndex((column) => fold(column.name) === fold(name));
  if (at < 0) throw sqlError(missing, name);
  return at;
}

/** The memory of an empty table, and of each of its columns. */
const tableOverhead = 2000;
const columnOverhead = 500;

/** The memory of a row besides its values: its places in the table and in the undo log. */
const rowOverhead = 200;

/** One row: a stable object, so that keys and undo can point to it. */
export interface TableRow {
  values: readonly unknown[];
}

/** What a table in memory is made from. */
interface NewMemoryTable {
  readonly name: string;
  readonly objectId: number;
  readonly columns: readonly TableColumn[];
  /** Where its changes are recorded, if they can be rolled back. */
  readonly undo?: UndoLog | undefined;
  /** Undefined for SELECT INTO. */
  readonly definition?: TableDefinition;
  /** The memory that its rows are counted in; undefined for a table of one statement. */
  readonly memory?: MemoryBudget | undefined;
}

/** A temporary table or table variable: rows in memory, in the order they were inserted, with unique keys. */
export class MemoryTable {
  readonly name: string;
  /** The schema that it is in. */
  schema = 'dbo';
  /** Its database in messages. */
  database = 'tempdb';
  readonly objectId: number;
  maker: number | undefined; // the session that made it, where others see it
  readonly columns: readonly TableColumn[];
  /** Defaults, checks and computed columns; undefined for SELECT INTO. */
  readonly definition: TableDefinition | undefined;
  readonly #rows = new Set<TableRow>();
  #values: readonly (readonly unknown[])[] | undefined;
  readonly #keys = new TableKeys(this);
  /** Where changes are recorded; a table of tempdb has one only while a session holds it. */
  undo: UndoLog | undefined;
  #identity: bigint | undefined;
  /**
   * The memory of its rows, including those that only a rollback would bring back; undefined for a table of one
   * statement.
   */
  readonly #memory: HeldMemory | undefined;
  /** What it means that there is no room for them. */
  readonly refused: (() => SqlError) | undefined;

  constructor({ name, objectId, columns, undo, definition, memory }: NewMemoryTable) {
    this.refused = memory && (() => sqlError(1105, `${this.schema}.${name}`, 'tempdb', 'PRIMARY'));
    this.#memory = memory && new HeldMemory(memory, this.refused);
    this.definition = definition;
    this.name = name;
    this.objectId = objectId;
    this.columns = columns;
    this.undo = undo;
    const expressions = definition && { ...definition, keys: [], references: [] };
    this.#memory?.take(tableOverhead + columns.length * columnOverhead + sizeOfTree(expressions));
  }

  /** The last number that a row was given. */
  get lastGiven(): bigint | undefined {
    return this.#identity;
  }

  /** The value of IDENT_CURRENT: the last number given, or the seed; undefined if no column numbers rows. */
  get lastIdentity(): bigint | undefined {
    return this.lastGiven ?? this.columns.find((column) => column.identity)?.identity?.seed;
  }

  get rowCount(): number {
    return this.#rows.size;
  }

  /** The places of the primary key's columns; empty without one. */
  get primaryKey(): readonly number[] {
    return this.#keys.primary;
  }

  /** The current rows; changes made while reading are not seen. */
  rows(): readonly TableRow[] {
    return [...this.#rows];
  }

  /** The values of the current rows, likewise; cached between two changes. */
  values(): readonly (readonly unknown[])[] {
    this.#values ??= Array.from(this.#rows, (row) => row.values);
    return this.#values;
  }

  /** Tells whether the key that distinguishes all rows by these columns has the values that a row has in them. */
  finder(columns: readonly number[]): (values: readonly unknown[]) => boolean {
    return this.#keys.finder(columns);
  }

  /** Whether a row that was in the table still is. */
  has(row: TableRow): boolean {
    return this.#rows.has(row);
  }

  /**
   * Adds a key or an index: 1505 if the rows violate it, followed by 1750 for a constraint; 1910 if there are too many.
   */
  addKey(facts: KeyFacts): Steps<void> {
    return this.#keys.add(facts, this.rows(), this.#memory);
  }

  /**
   * Removes an index; `undo` brings it back, once everything that came after has been undone, and `settle` frees its
   * memory.
   */
  dropIndex(name: string): { readonly undo: () => void; readonly settle: () => void } {
    return this.#keys.dropIndex(name, this.#memory);
  }

  /** The keys and indexes, unique ones first. */
  get keys(): readonly KeyFacts[] {
    return this.#keys.facts;
  }

  /** Adds a row; undefined if it duplicates one in a key that ignores duplicates. */
  insert(values: readonly unknown[]): TableRow | undefined {
    this.#refuseNulls(values, 'INSERT');
    const row: TableRow = { values: ownValues(values) };
    if (this.#keys.ignore(row)) return undefined;
    const bytes = this.#sizeOf(values);
    this.#memory?.take(bytes);
    try {
      this.#keys.claim(row);
    } catch (error) {
      this.#memory?.giveBack(bytes);
      throw error;
    }
    this.#add(row);
    this.undo?.record(() => {
      this.#remove(row);
      this.#memory?.giveBack(bytes);
    });
    return row;
  }

  /** Frees the memory of the rows: the table is not used any more. */
  free(): void {
    this.#memory?.free();
  }

  #sizeOf(values: readonly unknown[]): number {
    if (this.#memory === undefined) return 0;
    return rowOverhead + sizeOf(values) + this.#keys.sizeOf(values);
  }

  /**
   * Replaces the values of rows in one step: keys are checked after all of them have changed, as one statement does.
   */
  *update(changes: Changes): Steps<void> {
    const before = changes.map(([row]) => row.values);
    let newBytes = 0;
    let oldBytes = 0;
    for (const [row, values] of changes) {
      if (++steps % between === 0) yield;
      this.#refuseNulls(values, 'UPDATE');
      newBytes += this.#sizeOf(values);
      oldBytes += this.#sizeOf(row.values);
    }
    this.#memory?.take(newBytes);
    yield* this.#releaseAll(changes, changes.length);
    let done = 0;
    try {
      for (const [row, values] of changes) {
        if (++steps % between === 0) yield;
        row.values = ownValues(values);
        this.#keys.claim(row);
        done++;
      }
    } catch (error) {
      yield* this.#undoUpdate(changes, before, done, newBytes);
      throw error;
    }
    this.#values = undefined;
    this.#remember(
      () => this.#undoUpdate(changes, before, changes.length, newBytes),
      () => this.#memory?.giveBack(oldBytes),
    );
  }

  /** Restores the previous values of rows, the first `done` of which were changed. */
  *#undoUpdate(changes: Changes, before: readonly (readonly unknown[])[], done: number, bytes: number): Steps<void> {
    yield* this.#releaseAll(changes, done);
    changes.forEach(([row], index) => {
      row.values = before[index] ?? row.values;
    });
    for (const [row] of changes) {
      if (++steps % between === 0) yield;
      this.#keys.claim(row);
    }
    this.#values = undefined;
    this.#memory?.giveBack(bytes);
  }

  /** Records how to undo a change, and what a commit frees; without a transaction it is freed at once. */
  #remember(undo: () => Steps<void> | undefined, settle: () => void): void {
    if (this.undo?.isActive) this.undo.recordSteps(undo, settle);
    else settle();
  }

  *#releaseAll(changes: Changes, count: number): Steps<void> {
    for (const [at, [row]] of changes.entries()) {
      if (at === count) break;
      if (++steps % between === 0) yield;
      this.#keys.release(row);
    }
    this.#values = undefined;
  }

  *delete(rows: Iterable<TableRow>): Steps<number> {
    let count = 0;
    for (const row of rows) {
      if (++steps % between === 0) yield;
      if (!this.#rows.has(row)) continue;
      this.#remove(row);
      count++;
      const bytes = this.#sizeOf(row.values);
      this.#remember(
        () => {
          this.#keys.claim(row);
          this.#add(row);
          return undefined;
        },
        () => this.#memory?.giveBack(bytes),
      );
    }
    return count;
  }

  *truncate(): Steps<void> {
    yield* this.delete(this.rows());
    this.#identity = undefined;
  }

  /** The next value of the identity column; a rollback leaves a gap, as in SQL Server. */
  nextIdentity(): bigint {
    const { seed, increment } = this.columns.find((column) => column.identity)?.identity ?? { seed: 1n, increment: 1n };
    this.#identity = this.#identity === undefined ? seed : this.#identity + increment;
    return this.#identity;
  }

  /** An explicit value of the identity column advances the counter. */
  sawIdentity(value: bigint): void {
    if (this.#identity === undefined || value > this.#identity) this.#identity = value;
  }

  #add(row: TableRow): void {
    this.#rows.add(row);
    this.#values = undefined;
  }

  #remove(row: TableRow): void {
    this.#keys.release(row);
    this.#rows.delete(row);
    this.#values = undefined;
  }

  #refuseNulls(values: readonly unknown[], statement: string): void {
    this.columns.forEach((column, index) => {
      if (!column.nullable && values[index] === null)
        throw sqlError(515, column.name, `${this.database}.${this.schema}.${this.name}`, statement);
    });
  }
}

/** Rows between two checks of the clock, counted over all statements: most of them change a single row. */
const between = 128;
let steps = 0;

/** Rows, and what they are to hold. */
type Changes = readonly (readonly [TableRow, readonly unknown[]])[];
