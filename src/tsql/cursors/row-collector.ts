import { ruleBroken } from '../../base/sql-error.ts';
import type { Column } from '../../procedure/sink.ts';
import { sizeOf } from '../query/run.ts';
import { Rowset } from './rowset.ts';

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
    this.#bytes += sizeOf(row);
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
