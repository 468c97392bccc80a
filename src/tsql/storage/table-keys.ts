import { type SqlError, sqlError, sqlErrorAfter } from '../../base/messages/sql-error.ts';
import type { Steps } from '../../base/threads/steps.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { keyOf } from '../../values/key.ts';
import { sizeOf } from '../query/run.ts';
import type { HeldMemory } from './held-memory.ts';
import type { MemoryTable, TableRow } from './memory-table.ts';

/** A key or an index, apart from the rows. */
export interface KeyFacts {
  readonly name: string;
  readonly kind: 'PRIMARY KEY' | 'UNIQUE KEY' | 'index';
  readonly columns: readonly number[];
  /** IGNORE_DUP_KEY. */
  readonly ignoresDuplicates: boolean;
  readonly isUnique: boolean;
  readonly isClustered: boolean;
  /** What only the catalog shows: descending columns, included ones, and WHERE. */
  readonly descending?: readonly number[];
  readonly included?: readonly number[];
  readonly filter?: string;
  /** The columns that must not be NULL in the rows of a filtered index; other rows are not in it. */
  readonly present: readonly number[];
}

/** A key or an index with its rows by the text of their values; one that is not unique has none. */
interface Key extends KeyFacts {
  readonly rows: Map<string, TableRow>;
}

/** The memory of a row in a key, besides its values there. */
const keyOverhead = 100;

/** The maximum number of keys and indexes of a table, as in SQL Server. */
const mostKeys = 999;

/** Rows between two checks of the clock. */
const between = 128;

/** The keys and indexes of a table in memory. */
export class TableKeys {
  readonly #table: Pick<MemoryTable, 'schema' | 'name' | 'columns'>;
  readonly #keys: Key[] = [];

  constructor(table: Pick<MemoryTable, 'schema' | 'name' | 'columns'>) {
    this.#table = table;
  }

  /** All of them, unique ones first. */
  get facts(): readonly KeyFacts[] {
    return this.#keys.toSorted((one, other) => Number(other.isUnique) - Number(one.isUnique));
  }

  /** The columns of the primary key; empty if there is none. */
  get primary(): readonly number[] {
    return this.#keys.find(({ kind }) => kind === 'PRIMARY KEY')?.columns ?? [];
  }

  /**
   * Adds one to a table with rows: 1505 if they violate it, followed by 1750 for a constraint; 1910 if there are too
   * many, 1902 for a second clustered one.
   */
  *add(facts: KeyFacts, rows: readonly TableRow[], memory: HeldMemory | undefined): Steps<void> {
    if (this.#keys.length >= mostKeys) throw sqlError(1910, mostKeys);
    const clustered = this.#keys.find(({ isClustered }) => isClustered);
    if (facts.isClustered && clustered !== undefined) throw sqlError(1902, this.#tableName, clustered.name);
    const key: Key = { ...facts, rows: new Map() };
    let taken = 0;
    const take = (bytes: number): void => {
      memory?.take(bytes);
      taken += bytes;
    };
    try {
      take(sizeOf(key.filter));
      for (const [at, row] of rows.entries()) {
        if ((at + 1) % between === 0) yield;
        if (!covers(key, row)) continue;
        const text = this.#textOf(key, row);
        if (key.rows.has(text)) throw this.#violatedBy(key, row);
        take(sizeIn(key, row.values));
        key.rows.set(text, row);
      }
    } catch (error) {
      memory?.giveBack(taken);
      throw error;
    }
    this.#keys.push(key);
  }

  /**
   * Removes an index. `undo` brings it back, once everything that came after has been undone; `settle` frees its
   * memory.
   */
  dropIndex(name: string, memory: HeldMemory | undefined): { readonly undo: () => void; readonly settle: () => void } {
    const at = this.#keys.findIndex((key) => key.kind === 'index' && key.name === name);
    const [key] = at < 0 ? [] : this.#keys.splice(at, 1);
    let bytes = key === undefined ? 0 : sizeOf(key.filter);
    if (key !== undefined) for (const { values } of key.rows.values()) bytes += sizeIn(key, values);
    return {
      undo: () => void (key && this.#keys.splice(at, 0, key)),
      settle: () => memory?.giveBack(bytes),
    };
  }

  /** The memory of a row with these values in all of them. */
  sizeOf(values: readonly unknown[]): number {
    let bytes = 0;
    for (const key of this.#keys) if (key.isUnique) bytes += sizeIn(key, values);
    return bytes;
  }

  /** Tells whether the key that distinguishes all rows by these columns has the values that a row has in them. */
  finder(columns: readonly number[]): (values: readonly unknown[]) => boolean {
    const key = this.#keys.find((each) => tellsApart(each, columns));
    return (values) => key?.rows.has(this.#textOf(key, { values })) ?? false;
  }

  /** True for a duplicate under a key with IGNORE_DUP_KEY. */
  ignore(row: TableRow): boolean {
    return this.#keys.some((key) => key.ignoresDuplicates && covers(key, row) && key.rows.has(this.#textOf(key, row)));
  }

  /** Adds a row to each of them, or to none: 2627 or 2601 for a duplicate. */
  claim(row: TableRow): void {
    const claimed: Key[] = [];
    try {
      for (const key of this.#keys) {
        if (!covers(key, row)) continue;
        this.#claimIn(key, row);
        claimed.push(key);
      }
    } catch (error) {
      for (const key of claimed) key.rows.delete(this.#textOf(key, row));
      throw error;
    }
  }

  /** Removes a row from each of them. */
  release(row: TableRow): void {
    for (const key of this.#keys) {
      if (!covers(key, row)) continue;
      const text = this.#textOf(key, row);
      if (key.rows.get(text) === row) key.rows.delete(text);
    }
  }

  #claimIn(key: Key, row: TableRow): void {
    const text = this.#textOf(key, row);
    if (key.rows.has(text)) {
      const shown = this.#shown(key, row);
      throw key.kind === 'index'
        ? sqlError(2601, this.#tableName, key.name, shown)
        : sqlError(2627, key.kind, key.name, this.#tableName, shown);
    }
    key.rows.set(text, row);
  }

  get #tableName(): string {
    return `${this.#table.schema}.${this.#table.name}`;
  }

  #violatedBy(key: Key, row: TableRow): SqlError {
    const error = sqlError(1505, this.#tableName, key.name, this.#shown(key, row));
    return key.kind === 'index' ? error : sqlErrorAfter([error], sqlError(1750));
  }

  #shown(key: Key, row: TableRow): string {
    return `(${key.columns.map((at) => shownValue(row.values[at], this.#table.columns[at]?.type)).join(', ')})`;
  }

  #textOf(key: Key, row: TableRow): string {
    return keyOf(key.columns.map((at) => [row.values[at], this.#table.columns[at]?.type]));
  }
}

/** True for a row that a key must distinguish from others; a filtered index leaves some out because of their values. */
const covers = ({ isUnique, present }: KeyFacts, { values }: TableRow): boolean =>
  isUnique && present.every((at) => values[at] !== null);

/** True for a key that distinguishes all rows by these columns: what a foreign key refers to. */
export const tellsApart = (
  { isUnique, present, columns: own }: Pick<KeyFacts, 'isUnique' | 'present' | 'columns'>,
  columns: readonly number[],
): boolean => isUnique && present.length === 0 && new Set(own).symmetricDifference(new Set(columns)).size === 0;

const sizeIn = ({ columns }: KeyFacts, values: readonly unknown[]): number =>
  columns.reduce((sum, at) => sum + sizeOf(values[at]), keyOverhead);

function shownValue(value: unknown, type: AnyType | undefined): string {
  if (value === null || value === undefined) return '<NULL>';
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`;
  if (type === undefined || typeof value !== 'object') return String(value);
  return String(type.toStore(value));
}
