import { isDeepStrictEqual } from 'node:util';
import type { Turn } from '../../base/threads/turn.ts';
import { noRows } from '../evaluate/compiled.ts';
import { answered } from '../evaluate/prepared.ts';
import { envOf } from '../query/joins/join-row.ts';
import type { Positioned } from '../query/positioned.ts';
import type { MemoryTable, TableRow } from '../storage/memory-table.ts';

/** The key of a cursor's row: the row of each of its tables; null where an outer join found none. */
export type RowKey = readonly (TableRow | null)[];

/** The key of a row that is no longer found under it. */
export const lostKey = (key: RowKey): RowKey => key.map((row) => row && { values: row.values });

/** How a cursor that is not a copy rereads its rows. */
export class Keyset {
  readonly positioned: Positioned;
  /** The values of rows when they were last fetched, to detect changes by others. */
  readonly #seen = new WeakMap<TableRow, readonly unknown[]>();

  constructor(positioned: Positioned) {
    this.positioned = positioned;
  }

  /** Makes keys of what the query yields, as long as the tables have not changed since its first row. */
  keys(): (row: readonly unknown[]) => RowKey {
    let rows: readonly ReadonlyMap<unknown, TableRow>[] | undefined;
    return (row) => {
      // A positioned query yields the values of its tables' rows, the very arrays.
      rows ??= this.positioned.tables.map(({ table }) => new Map(table.rows().map((each) => [each.values, each])));
      return row.map((values, at) => rows?.[at]?.get(values) ?? null);
    };
  }

  /** What the cursor shows of a row now; undefined when the row is gone. */
  async show(key: RowKey): Promise<readonly unknown[] | undefined> {
    if (!this.#isPresent(key)) return undefined;
    for (const row of key) if (row !== null) this.#seen.set(row, row.values);
    const env = this.#env(key);
    const { compiled, pending } = this.positioned.show;
    await answered(pending, env);
    return compiled(env);
  }

  /** Whether a row still satisfies the query. */
  async holds(key: RowKey): Promise<boolean> {
    if (!this.#isPresent(key)) return false;
    const env = this.#env(key);
    for (const { compiled, pending } of this.positioned.tests) {
      await answered(pending, env);
      if (compiled(env) !== true) return false;
    }
    return true;
  }

  /** The row of one of the tables; undefined when it is gone, or an outer join found none. */
  rowIn(table: MemoryTable, key: RowKey): TableRow | undefined {
    const row = key[this.positioned.tables.findIndex((each) => each.table === table)];
    return row && table.has(row) ? row : undefined;
  }

  /** The key of a row that the cursor itself, or another, has inserted into its table; undefined for a join. */
  keyOf(row: TableRow): RowKey | undefined {
    return this.positioned.tables.length === 1 ? [row] : undefined;
  }

  /** Rows of its only table that are new and that the query includes; none if they would have to go between others. */
  async joining(known: readonly RowKey[], turn: Turn): Promise<RowKey[]> {
    const { tables, isOrdered } = this.positioned;
    const [only, ...more] = tables;
    if (only === undefined || more.length > 0 || isOrdered) return [];
    const there = new Set(known.map(([row]) => row));
    const found: RowKey[] = [];
    for (const row of only.table.rows()) {
      if (turn.isOver) await turn.giveWay();
      if (!there.has(row) && (await this.holds([row]))) found.push([row]);
    }
    return found;
  }

  /** Whether a row has the values that it had when it was fetched last. */
  isUnchanged(row: TableRow): boolean {
    const seen = this.#seen.get(row);
    return seen === undefined || seen === row.values || isDeepStrictEqual(seen, row.values);
  }

  /** Records that the cursor itself has changed a row. */
  changed(row: TableRow): void {
    this.#seen.set(row, row.values);
  }

  #isPresent(key: RowKey): boolean {
    return key.every((row, at) => row === null || this.positioned.tables[at]?.table.has(row));
  }

  #env(key: RowKey) {
    return envOf(
      key.map((row) => row?.values ?? null),
      noRows,
    );
  }
}
