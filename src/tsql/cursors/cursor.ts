import { sqlError } from '../../base/messages/sql-error.ts';
import type { Query } from '../../syntax/ast/query.ts';
import type { CursorType } from '../../syntax/ast/statement.ts';
import { sizeOfTree } from '../query/run.ts';
import type { MemoryTable, TableRow } from '../storage/memory-table.ts';
import type { Keyset, RowKey } from './keyset.ts';
import type { Rowset } from './rowset.ts';

/** What a cursor can do. */
interface CursorTraits {
  /** True when it may move other than forward. */
  readonly scroll: boolean;
  readonly type: CursorType;
  readonly isReadOnly: boolean;
  /** True if fetched rows are locked, so that nobody need check whether they have changed. */
  readonly locks: boolean;
  /** The columns that FOR UPDATE OF names; none for all. */
  readonly updatable?: readonly string[];
}

/** The approximate memory of a cursor without its rows and its query. */
const usualBytes = 4000;

/** A cursor of the session, open or closed. */
export class Cursor {
  readonly traits: CursorTraits;
  /** Its approximate memory besides its rows. */
  readonly bytes: number;
  #rowset: Rowset | undefined;
  #keyset: Keyset | undefined;
  /** The row of the block that WHERE CURRENT OF means, from 1. */
  position = 1;

  constructor(traits: CursorTraits, bytes = usualBytes) {
    this.traits = traits;
    this.bytes = bytes;
  }

  /** The rows, or the keys of rows that are read again when fetched; undefined while it is closed. */
  get rowset(): Rowset | undefined {
    return this.#rowset;
  }

  /** How it rereads its rows; undefined for a copy. */
  get keyset(): Keyset | undefined {
    return this.#keyset;
  }

  open(rowset: Rowset, keyset: Keyset | undefined): void {
    this.#rowset = rowset;
    this.#keyset = keyset;
    this.position = 1;
  }

  close(): void {
    this.#rowset = undefined;
    this.#keyset = undefined;
  }

  /** True if SQL Server knows its number of rows: it has copied them, or their keys. */
  get isCounted(): boolean {
    return this.traits.type === 'static' || this.traits.type === 'keyset';
  }

  /** @@CURSOR_ROWS: -1 where SQL Server would not have counted the rows. */
  get qualifyingRows(): number {
    if (this.#rowset === undefined) return 0;
    return this.isCounted ? this.#rowset.count : -1;
  }

  /**
   * The row of a table on which the cursor is positioned, for a change: 16929 for a read-only cursor, 16933 if it does
   * not include that table, 16931 before the first fetch, 16947 if the row no longer exists and 16934 if others changed
   * it.
   */
  rowToChange(table: MemoryTable, position = this.position): TableRow {
    if (this.#rowset === undefined) throw sqlError(16917);
    if (this.#keyset === undefined || this.traits.isReadOnly) throw sqlError(16929);
    if (!this.#keyset.positioned.tables.some((each) => each.table === table)) throw sqlError(16933);
    const { block } = this.#rowset;
    if (block.length === 0) throw sqlError(16931);
    const key = block[position - 1];
    if (key === undefined) throw sqlError(16930);
    // A keyset cursor has keys for rows.
    const row = this.#keyset.rowIn(table, key as RowKey);
    if (row === undefined) throw sqlError(16947);
    if (!this.traits.locks && !this.#keyset.isUnchanged(row)) throw sqlError(16934);
    return row;
  }
}

/** A cursor that DECLARE CURSOR made. */
export class NamedCursor extends Cursor {
  readonly name: string;
  /** Its query, with the values that variables had when it was declared. */
  readonly query: Query;

  constructor(name: string, query: Query, traits: CursorTraits) {
    super(traits, usualBytes + sizeOfTree(query));
    this.name = name;
    this.query = query;
  }
}
