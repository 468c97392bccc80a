import type { Rowset } from './rowset.ts';

/** What a cursor can do here: every one is a read-only copy of its rows; only the way it moves differs. */
export interface CursorTraits {
  /** True when it may move other than forward. */
  readonly scroll: boolean;
  /** True when SQL Server, too, would have copied the rows: it then outlives a rollback and tells how many rows it has. */
  readonly isStatic: boolean;
}

/** A cursor of the session, open or closed. */
export class Cursor {
  readonly traits: CursorTraits;
  #rowset: Rowset | undefined;

  constructor(traits: CursorTraits, rowset?: Rowset) {
    this.traits = traits;
    this.#rowset = rowset;
  }

  /** The rows; undefined while it is closed. */
  get rowset(): Rowset | undefined {
    return this.#rowset;
  }

  open(rowset: Rowset): void {
    this.#rowset = rowset;
  }

  close(): void {
    this.#rowset = undefined;
  }

  /** @@CURSOR_ROWS: -1 where SQL Server would not have counted the rows. */
  get qualifyingRows(): number {
    if (this.#rowset === undefined) return 0;
    return this.traits.isStatic ? this.#rowset.count : -1;
  }
}
