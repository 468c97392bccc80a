import { ruleBroken } from '../../base/messages/sql-error.ts';
import { ownValues } from '../../base/text/own-part.ts';
import type { Column } from '../../procedure/run/sink.ts';
import { sizeOf } from '../query/run.ts';

/** The direction of FETCH; `priorExact` is that of PREV_NOADJUST, which may return a short block at the start. */
export type FetchKind = 'first' | 'next' | 'prior' | 'priorExact' | 'last' | 'absolute' | 'relative';

type RowValues = readonly unknown[];

interface Block {
  readonly first: number;
  readonly size: number;
}

/** The rows of an open cursor, or their keys, read once, and the block that was fetched last. */
export class Rowset {
  readonly columns: readonly Column[];
  readonly #rows: RowValues[];
  /** The approximate memory of the rows. */
  readonly bytes: number;
  /** The block's first row, from 1; 0 before the first row, the number of rows plus one after the last. */
  #first = 0;
  #size = 0;

  constructor(columns: readonly Column[], rows: readonly RowValues[], bytes: number) {
    this.columns = columns;
    this.#rows = [...rows];
    this.bytes = bytes;
  }

  get rows(): readonly RowValues[] {
    return this.#rows;
  }

  get count(): number {
    return this.#rows.length;
  }

  /** The block's first row, from 1; 0 before the first row, -1 after the last. */
  get position(): number {
    return this.#first > this.count ? -1 : this.#first;
  }

  /** The rows that were fetched last. */
  get block(): readonly RowValues[] {
    return this.#rowsOf({ first: this.#first, size: this.#size });
  }

  /** True if a fetch would reach the last row or go beyond it. */
  reachesEnd(kind: FetchKind, count: number, at: number): boolean {
    return this.#next(kind, count, at).first + count > this.count;
  }

  /** Appends a row; a cursor positioned after the last row is now positioned before this one. */
  append(row: RowValues): void {
    this.#rows.push(row);
  }

  /** Replaces a row of the block, from 1. */
  replace(place: number, row: RowValues): void {
    this.#rows[this.#first - 1 + place - 1] = row;
  }

  #rowsOf({ first, size }: Block): readonly RowValues[] {
    return size === 0 ? [] : this.#rows.slice(first - 1, first - 1 + size);
  }

  beforeFirst(): void {
    this.#move({ first: 0, size: 0 });
  }

  afterLast(): void {
    this.#move({ first: this.count + 1, size: 0 });
  }

  /** True when a block before this one would begin before the first row, so that `prior` has to begin with that row. */
  isCutShort(count: number): boolean {
    return this.#first > 1 && this.#first <= count;
  }

  /** Moves to another block of up to `count` rows and returns it; `at` is for absolute and relative. */
  fetch(kind: FetchKind, count: number, at = 0): readonly RowValues[] {
    this.#move(this.#next(kind, count, at));
    return this.block;
  }

  /** As `fetch`, over rows that still exist: others are skipped from then on. */
  async fetchThere(
    kind: FetchKind,
    count: number,
    at: number,
    isThere: (row: RowValues) => Promise<boolean>,
  ): Promise<readonly RowValues[]> {
    for (;;) {
      const block = this.#next(kind, count, at);
      const gone = new Set<RowValues>();
      for (const row of this.#rowsOf(block)) if (!(await isThere(row))) gone.add(row);
      if (gone.size === 0) {
        this.#move(block);
        return this.block;
      }
      this.#leaveOut(block, gone);
    }
  }

  /** Removes rows of a block; the block that was fetched last keeps its position, with its remaining rows. */
  #leaveOut({ first, size }: Block, gone: ReadonlySet<RowValues>): void {
    for (let place = first + size - 1; place >= first; place--) {
      const row = this.#rows[place - 1];
      if (row === undefined || !gone.has(row)) continue;
      this.#rows.splice(place - 1, 1);
      if (place < this.#first) this.#first--;
      else if (place < this.#first + this.#size) this.#size--;
    }
  }

  #next(kind: FetchKind, count: number, at: number): Block {
    if (kind === 'priorExact') return this.#priorExact(count);
    return this.#within({ first: this.#target(kind, count, at), size: count });
  }

  #target(kind: Exclude<FetchKind, 'priorExact'>, count: number, at: number): number {
    switch (kind) {
      case 'first':
        return 1;
      case 'next':
        return this.#first === 0 ? 1 : this.#first + this.#size;
      case 'prior':
        // A block that would begin before the first row begins with it, unless the cursor is already there.
        return this.#first <= 1 ? 0 : Math.max(1, this.#first - count);
      case 'last':
        return Math.max(1, this.count - count + 1);
      case 'absolute':
        return at >= 0 ? at : reaching(this.count + 1 + at, count);
      case 'relative':
        return reaching(this.#first + at, count);
    }
  }

  #priorExact(count: number): Block {
    const end = this.#first - 1;
    const first = Math.max(1, this.#first - count);
    return this.#within({ first: end < 1 ? 0 : first, size: end - first + 1 });
  }

  #within({ first: wanted, size }: Block): Block {
    const first = Math.min(Math.max(wanted, 0), this.count + 1);
    return { first, size: first === 0 ? 0 : Math.min(size, this.count + 1 - first) };
  }

  #move({ first, size }: Block): void {
    this.#first = first;
    this.#size = size;
  }
}

/** A block that begins before the first row and reaches it begins there. */
const reaching = (first: number, count: number): number => (first < 1 && first + count > 1 ? 1 : first);

/** Collects the rows of a cursor; refuses more than the remaining cursor memory holds. */
export class RowCollector {
  readonly #left: number;
  readonly #rows: (readonly unknown[])[] = [];
  #bytes = 0;

  constructor(left: number) {
    this.#left = left;
  }

  /** The approximate memory of the gathered rows. */
  get bytes(): number {
    return this.#bytes;
  }

  add(row: readonly unknown[]): void {
    this.#bytes += sizeOf(row);
    if (this.#bytes > this.#left) {
      throw ruleBroken(
        `The rows of a cursor are held in memory, and ${this.#rows.length + 1} rows exceed what the session has left for cursors. Narrow the query, close other cursors, or use a default result set.`,
      );
    }
    this.#rows.push([...ownValues(row)]);
  }

  rowset(columns: readonly Column[]): Rowset {
    return new Rowset(columns, this.#rows, this.#bytes);
  }
}
