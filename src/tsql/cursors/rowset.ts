import type { Column } from '../../procedure/sink.ts';

/** Where FETCH goes; `priorExact` is the one of PREV_NOADJUST, which may give a short block at the start. */
export type FetchKind = 'first' | 'next' | 'prior' | 'priorExact' | 'last' | 'absolute' | 'relative';

type RowValues = readonly unknown[];

/** The rows of an open cursor, read once, and the block of them that was fetched last. */
export class Rowset {
  readonly columns: readonly Column[];
  readonly rows: readonly RowValues[];
  /** What the rows take in memory, about. */
  readonly bytes: number;
  /** The block's first row from 1; 0 before the first row, one more than there are behind the last. */
  #first = 0;
  #size = 0;

  constructor(columns: readonly Column[], rows: readonly RowValues[], bytes: number) {
    this.columns = columns;
    this.rows = rows;
    this.bytes = bytes;
  }

  get count(): number {
    return this.rows.length;
  }

  /** The block's first row from 1; 0 before the first row, -1 behind the last. */
  get position(): number {
    return this.#first > this.count ? -1 : this.#first;
  }

  /** The rows that were fetched last. */
  get block(): readonly RowValues[] {
    return this.#size === 0 ? [] : this.rows.slice(this.#first - 1, this.#first - 1 + this.#size);
  }

  beforeFirst(): void {
    this.#move(0, 0);
  }

  afterLast(): void {
    this.#move(this.count + 1, 0);
  }

  /** Moves to another block of up to `count` rows and returns it; `at` is for absolute and relative. */
  fetch(kind: FetchKind, count: number, at = 0): readonly RowValues[] {
    if (kind === 'priorExact') this.#priorExact(count);
    else this.#move(this.#target(kind, count, at), count);
    return this.block;
  }

  #target(kind: Exclude<FetchKind, 'priorExact'>, count: number, at: number): number {
    switch (kind) {
      case 'first':
        return 1;
      case 'next':
        return this.#first === 0 ? 1 : this.#first + this.#size;
      case 'prior':
        // A block that would begin before the first row begins with it, unless the cursor stands there already.
        return this.#first <= 1 ? 0 : Math.max(1, this.#first - count);
      case 'last':
        return Math.max(1, this.count - count + 1);
      case 'absolute':
        return at >= 0 ? at : reaching(this.count + 1 + at, count);
      case 'relative':
        return reaching(this.#first + at, count);
    }
  }

  #priorExact(count: number): void {
    const end = this.#first - 1;
    const first = Math.max(1, this.#first - count);
    this.#move(end < 1 ? 0 : first, end - first + 1);
  }

  #move(first: number, size: number): void {
    this.#first = Math.min(Math.max(first, 0), this.count + 1);
    this.#size = this.#first === 0 ? 0 : Math.min(size, this.count + 1 - this.#first);
  }
}

/** A block that begins before the first row and reaches it begins there. */
const reaching = (first: number, count: number): number => (first < 1 && first + count > 1 ? 1 : first);
