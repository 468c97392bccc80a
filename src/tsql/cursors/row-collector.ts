import { ruleBroken } from '../../base/sql-error.ts';
import type { Column } from '../../procedure/sink.ts';
import { Rowset } from './rowset.ts';

/** What a value takes besides its characters or bytes. */
const overhead = 16;

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return overhead + value.length * 2;
  return value instanceof Uint8Array ? overhead + value.length : overhead;
}

/** Gathers the rows of a cursor; refuses more than fit the memory that is left for cursors. */
export class RowCollector {
  readonly #left: number;
  readonly #rows: (readonly unknown[])[] = [];
  #bytes = 0;

  constructor(left: number) {
    this.#left = left;
  }

  /** What has been gathered takes in memory, about. */
  get bytes(): number {
    return this.#bytes;
  }

  add(row: readonly unknown[]): void {
    this.#bytes += row.reduce<number>((sum, value) => sum + sizeOf(value), overhead);
    if (this.#bytes > this.#left) {
      throw ruleBroken(
        `The rows of a cursor are kept in memory, and ${this.#rows.length + 1} rows are more than the session has left for cursors. Narrow the query, close other cursors, or use a default result set.`,
      );
    }
    this.#rows.push([...row]);
  }

  rowset(columns: readonly Column[]): Rowset {
    return new Rowset(columns, this.#rows, this.#bytes);
  }
}
