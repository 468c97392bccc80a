import type { MemoryBudget } from '../../base/memory/memory-budget.ts';
import { sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import { HeldMemory } from '../storage/held-memory.ts';
import type { ApiCursor } from './api-cursor.ts';
import type { Cursor, NamedCursor } from './cursor.ts';
import { RowCollector } from './rowset.ts';

/** The bytes that all open cursors of a session may hold. */
export const cursorMemory = 64 * 1024 * 1024;

/** The first handle that SQL Server assigns, and the distance to the next. */
const handles = { first: 180_150_003, step: 2 } as const;

/** The cursors of a session: those of the API by handle, those of T-SQL by name. */
export class Cursors {
  /** @@FETCH_STATUS. */
  fetchStatus = 0;
  /** The cursor that was opened last, for @@CURSOR_ROWS. */
  #last: Cursor | undefined;
  readonly #byHandle = new Map<number, ApiCursor>();
  /** The cursors of T-SQL that outlive their batch, by folded name. */
  readonly global = new Map<string, NamedCursor>();
  /**
   * Every cursor that is declared or open, those local to a batch or procedure too, and the bytes that it counts for.
   * Adding all of them up whenever one is opened or closed would take minutes for as many as memory allows.
   */
  readonly #known = new Map<Cursor, number>();
  #nextHandle: number = handles.first;
  readonly #memory: HeldMemory;

  constructor(memory: MemoryBudget) {
    this.#memory = new HeldMemory(memory);
  }

  /** True if the client has no cursor, open or closed. */
  get isEmpty(): boolean {
    return this.#byHandle.size === 0 && this.global.size === 0;
  }

  /** @@CURSOR_ROWS. */
  get lastRows(): number {
    return this.#last?.qualifyingRows ?? 0;
  }

  /** Collects rows for a cursor within the session's remaining cursor memory; `used` is about to be taken too. */
  collector(used = 0): RowCollector {
    return new RowCollector(cursorMemory - used - this.#memory.bytes);
  }

  /** Records that a cursor was declared: 701 if there is no memory for its query and the values in it. */
  declared(cursor: Cursor): void {
    this.#hold(cursor, () => this.forget(cursor));
  }

  /** Records that a cursor was opened. */
  opened(cursor: Cursor): void {
    this.#last = cursor;
    this.#hold(cursor, () => this.close(cursor));
  }

  #hold(cursor: Cursor, undo: () => void): void {
    const counted = this.#known.get(cursor) ?? 0;
    this.#known.set(cursor, counted);
    try {
      const bytes = cursor.bytes + (cursor.rowset?.bytes ?? 0);
      this.#memory.become(this.#memory.bytes + bytes - counted);
      this.#known.set(cursor, bytes);
    } catch (error) {
      undo();
      throw error;
    }
  }

  /** Closes a cursor, which may be opened again. */
  close(cursor: Cursor): void {
    cursor.close();
    const counted = this.#known.get(cursor);
    if (counted === undefined) return;
    const left = Math.min(counted, cursor.bytes);
    this.#memory.giveBack(counted - left);
    this.#known.set(cursor, left);
  }

  /** Closes a cursor for good. */
  forget(cursor: Cursor): void {
    cursor.close();
    this.#memory.giveBack(this.#known.get(cursor) ?? 0);
    this.#known.delete(cursor);
  }

  /** Stores an API cursor and returns its handle. */
  add(cursor: ApiCursor): number {
    const handle = this.#nextHandle;
    this.#nextHandle += handles.step;
    try {
      this.opened(cursor);
    } catch (error) {
      this.forget(cursor);
      throw error;
    }
    this.#byHandle.set(handle, cursor);
    return handle;
  }

  /** 16909 if no API cursor has that handle, or no longer does. */
  byHandle(handle: number, procedure: string): ApiCursor {
    const found = this.#byHandle.get(handle);
    if (found === undefined) throw sqlError(16909, procedure, (handle >>> 0).toString(16));
    return found;
  }

  closeHandle(handle: number): void {
    const found = this.#byHandle.get(handle);
    this.#byHandle.delete(handle);
    if (found !== undefined) this.forget(found);
  }

  closeHandles(): void {
    for (const handle of this.#byHandle.keys()) this.closeHandle(handle);
  }

  /**
   * The cursor of that name that outlives its batch: one of T-SQL, or one of the API that sp_cursoroption has named.
   */
  byName(name: string): NamedCursor | ApiCursor | undefined {
    const key = fold(name);
    return this.global.get(key) ?? [...this.#byHandle.values()].find((each) => fold(each.name) === key);
  }

  /** A transaction has ended: SET CURSOR_CLOSE_ON_COMMIT closes all, a rollback those that are not copies. */
  transactionEnded(rolledBack: boolean, closeOnCommit: boolean): void {
    const ends = (cursor: Cursor): boolean => closeOnCommit || (rolledBack && cursor.traits.type !== 'static');
    for (const [handle, cursor] of this.#byHandle) if (ends(cursor)) this.closeHandle(handle);
    for (const cursor of this.#known.keys()) if (ends(cursor)) this.close(cursor);
  }

  reset(): void {
    for (const cursor of this.#known.keys()) cursor.close();
    this.#known.clear();
    this.#memory.free();
    this.#byHandle.clear();
    this.global.clear();
    this.#last = undefined;
    this.fetchStatus = 0;
  }
}
