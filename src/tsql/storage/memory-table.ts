import { fold } from '../../base/collation.ts';
import type { MemoryBudget } from '../../base/memory-budget.ts';
import { ownValues } from '../../base/own-part.ts';
import { type SqlError, sqlError, sqlErrorAfter } from '../../base/sql-error.ts';
import type { Steps } from '../../base/steps.ts';
import type { TableDefinition } from '../../syntax/ast/table.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { keyOf } from '../../values/key.ts';
import { sizeOf, sizeOfTree } from '../query/run.ts';
import { HeldMemory } from './held-memory.ts';
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

/** The place of the column of that name; the error of a number that says so where there is none. */
export function columnPlace(columns: readonly { readonly name: string }[], name: string, missing: 207 | 1911): number {
  const at = columns.findIndex((column) => fold(column.name) === fold(name));
  if (at < 0) throw sqlError(missing, name);
  return at;
}

/** What a key or an index is, apart from the rows. */
export interface KeyFacts {
  readonly name: string;
  readonly kind: 'PRIMARY KEY' | 'UNIQUE KEY' | 'index';
  readonly columns: readonly number[];
  /** IGNORE_DUP_KEY. */
  readonly ignoresDuplicates: boolean;
  readonly isUnique: boolean;
  /** The places of columns that WHERE of a filtered index wants not to be NULL: other rows are not in it. */
  readonly present: readonly number[];
}

/** A key or an index, with the rows it has seen; one that keeps nothing unique has seen none. */
interface Key extends KeyFacts {
  readonly rows: Map<string, TableRow>;
}

/** What an empty table takes, and each of its columns. */
const tableOverhead = 2000;
const columnOverhead = 500;

/** What a row takes besides its values: its places in the table and in the undo log. */
const rowOverhead = 200;

/** What a row takes in a key besides the text of its values there. */
const keyOverhead = 100;

/** Keys and indexes of a table, as SQL Server has it. */
const mostKeys = 999;

/** One row: a stable object, so that keys and undo can point to it. */
export interface TableRow {
  values: readonly unknown[];
}

/** A temporary table or table variable: rows in memory, in the order they were inserted, with unique keys. */
export class MemoryTable {
  readonly name: string;
  /** The schema that it is in. */
  schema = 'dbo';
  /** The database that messages say it is in. */
  database = 'tempdb';
  readonly objectId: number;
  maker: number | undefined; // the session that made it, where others see it
  readonly columns: readonly TableColumn[];
  /** Defaults, checks and computed columns; undefined for SELECT INTO. */
  readonly definition: TableDefinition | undefined;
  readonly #rows = new Set<TableRow>();
  #values: readonly (readonly unknown[])[] | undefined;
  readonly #keys: Key[] = [];
  /** Where changes are remembered; a table of tempdb has one only while a session holds it. */
  undo: UndoLog | undefined;
  #identity: bigint | undefined;
  /** What its rows take, those too that only a rollback would bring back; undefined for a table of one statement. */
  readonly #memory: HeldMemory | undefined;

  constructor(
    name: string,
    objectId: number,
    columns: readonly TableColumn[],
    undo: UndoLog | undefined,
    definition?: TableDefinition,
    memory?: MemoryBudget,
  ) {
    this.#memory =
      memory && new HeldMemory(memory, () => sqlError(1105, `${this.schema}.${name}`, 'tempdb', 'PRIMARY'));
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

  /** What IDENT_CURRENT tells: the last number given, or the seed; undefined where no column numbers rows. */
  get lastIdentity(): bigint | undefined {
    return this.lastGiven ?? this.columns.find((column) => column.identity)?.identity?.seed;
  }

  get rowCount(): number {
    return this.#rows.size;
  }

  /** The places of the primary key's columns; empty without one. */
  get primaryKey(): readonly number[] {
    return this.#keys.find((key) => key.kind === 'PRIMARY KEY')?.columns ?? [];
  }

  /** The rows there are now; changes made while reading are not seen. */
  rows(): readonly TableRow[] {
    return [...this.#rows];
  }

  /** The values of the rows there are now, likewise; found once between two changes. */
  values(): readonly (readonly unknown[])[] {
    this.#values ??= Array.from(this.#rows, (row) => row.values);
    return this.#values;
  }

  /** Whether a row that was in the table still is. */
  has(row: TableRow): boolean {
    return this.#rows.has(row);
  }

  /**
   * Adds a key or an index; 1505 when the rows there are already break it, and 1750 after it for a constraint, 1910 for
   * more than there may be.
   */
  *addKey(facts: KeyFacts): Steps<void> {
    if (this.#keys.length >= mostKeys) throw sqlError(1910, mostKeys);
    const key: Key = { ...facts, rows: new Map() };
    let taken = 0;
    try {
      for (const row of this.rows()) {
        if (++steps % between === 0) yield;
        if (!covers(key, row)) continue;
        const text = this.#keyText(key, row);
        if (key.rows.has(text)) throw this.#brokenBefore(key, row);
        const bytes = this.#sizeInKey(key, row.values);
        this.#memory?.take(bytes);
        taken += bytes;
        key.rows.set(text, row);
      }
    } catch (error) {
      this.#memory?.giveBack(taken);
      throw error;
    }
    this.#keys.push(key);
  }

  /** Takes an index away; `undo` brings it back, when all that came after has been undone, and `settle` lets it go for good. */
  dropIndex(name: string): { readonly undo: () => void; readonly settle: () => void } {
    const at = this.#keys.findIndex((key) => key.kind === 'index' && key.name === name);
    const [key] = at < 0 ? [] : this.#keys.splice(at, 1);
    let bytes = 0;
    if (key !== undefined) for (const { values } of key.rows.values()) bytes += this.#sizeInKey(key, values);
    return {
      undo: () => void (key && this.#keys.splice(at, 0, key)),
      settle: () => this.#memory?.giveBack(bytes),
    };
  }

  /** The primary key, the unique ones, and the indexes. */
  get keys(): readonly KeyFacts[] {
    return this.#keys.toSorted((one, other) => Number(other.isUnique) - Number(one.isUnique));
  }

  #brokenBefore(key: Key, row: TableRow): SqlError {
    const error = sqlError(1505, `${this.schema}.${this.name}`, key.name, this.#shownKey(key, row));
    return key.kind === 'index' ? error : sqlErrorAfter([error], sqlError(1750));
  }

  #shownKey(key: Key, row: TableRow): string {
    return `(${key.columns.map((at) => shownInKey(row.values[at], this.columns[at]?.type)).join(', ')})`;
  }

  /** Adds a row; undefined when a key that ignores duplicates has it already. */
  insert(values: readonly unknown[]): TableRow | undefined {
    this.#refuseNulls(values, 'INSERT');
    const row: TableRow = { values: ownValues(values) };
    const isThere = (key: Key) => key.ignoresDuplicates && covers(key, row) && key.rows.has(this.#keyText(key, row));
    if (this.#keys.some(isThere)) return undefined;
    const bytes = this.#sizeOf(values);
    this.#memory?.take(bytes);
    try {
      this.#claimAll(row);
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

  /** The table is gone for good: what its rows took is free. */
  free(): void {
    this.#memory?.free();
  }

  #sizeOf(values: readonly unknown[]): number {
    if (this.#memory === undefined) return 0;
    let bytes = rowOverhead + sizeOf(values);
    for (const key of this.#keys) if (key.isUnique) bytes += this.#sizeInKey(key, values);
    return bytes;
  }

  #sizeInKey({ columns }: Pick<KeyFacts, 'columns'>, values: readonly unknown[]): number {
    return columns.reduce((sum, at) => sum + sizeOf(values[at]), keyOverhead);
  }

  /** Replaces the values of rows in one step: keys are checked after all of them have changed, as one statement does. */
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
        this.#claimAll(row);
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

  /** Gives rows, of which so many were changed, the values that they had before. */
  *#undoUpdate(changes: Changes, before: readonly (readonly unknown[])[], done: number, bytes: number): Steps<void> {
    yield* this.#releaseAll(changes, done);
    changes.forEach(([row], index) => {
      row.values = before[index] ?? row.values;
    });
    for (const [row] of changes) {
      if (++steps % between === 0) yield;
      this.#claimAll(row);
    }
    this.#values = undefined;
    this.#memory?.giveBack(bytes);
  }

  /** Keeps how to undo a change, and what a commit makes free; without a transaction it is free at once. */
  #remember(undo: () => Steps<void> | undefined, settle: () => void): void {
    if (this.undo?.isActive) this.undo.recordSteps(undo, settle);
    else settle();
  }

  *#releaseAll(changes: Changes, count: number): Steps<void> {
    for (const [at, [row]] of changes.entries()) {
      if (at === count) break;
      if (++steps % between === 0) yield;
      this.#release(row);
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
          this.#claimAll(row);
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

  /** An explicit value of the identity column moves the counter on. */
  sawIdentity(value: bigint): void {
    if (this.#identity === undefined || value > this.#identity) this.#identity = value;
  }

  #add(row: TableRow): void {
    this.#rows.add(row);
    this.#values = undefined;
  }

  #remove(row: TableRow): void {
    this.#release(row);
    this.#rows.delete(row);
    this.#values = undefined;
  }

  #refuseNulls(values: readonly unknown[], statement: string): void {
    this.columns.forEach((column, index) => {
      if (!column.nullable && values[index] === null)
        throw sqlError(515, column.name, `${this.database}.${this.schema}.${this.name}`, statement);
    });
  }

  #claimAll(row: TableRow): void {
    const claimed: Key[] = [];
    try {
      for (const key of this.#keys) {
        if (!covers(key, row)) continue;
        this.#claim(key, row);
        claimed.push(key);
      }
    } catch (error) {
      for (const key of claimed) key.rows.delete(this.#keyText(key, row));
      throw error;
    }
  }

  #claim(key: Key, row: TableRow): void {
    const text = this.#keyText(key, row);
    if (key.rows.has(text)) {
      const shown = this.#shownKey(key, row);
      throw key.kind === 'index'
        ? sqlError(2601, `${this.schema}.${this.name}`, key.name, shown)
        : sqlError(2627, key.kind, key.name, `${this.schema}.${this.name}`, shown);
    }
    key.rows.set(text, row);
  }

  #release(row: TableRow): void {
    for (const key of this.#keys) {
      if (!covers(key, row)) continue;
      const text = this.#keyText(key, row);
      if (key.rows.get(text) === row) key.rows.delete(text);
    }
  }

  #keyText(key: Key, row: TableRow): string {
    return keyOf(key.columns.map((at) => [row.values[at], this.columns[at]?.type]));
  }
}

/** Rows between two looks at the clock. */
const between = 128;
let steps = 0;

/** Rows, and what they are to hold. */
type Changes = readonly (readonly [TableRow, readonly unknown[]])[];

/** True for a row that a key has to tell from others: one with a filter only because of its values. */
const covers = ({ isUnique, present }: KeyFacts, { values }: TableRow): boolean =>
  isUnique && present.every((at) => values[at] !== null);

function shownInKey(value: unknown, type: AnyType | undefined): string {
  if (value === null || value === undefined) return '<NULL>';
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`;
  if (type === undefined || typeof value !== 'object') return String(value);
  return String(type.toStore(value));
}
