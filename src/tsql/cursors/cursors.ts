import { fold } from '../../base/collation.ts';
import type { MemoryBudget } from '../../base/memory-budget.ts';
import { sqlError } from '../../base/sql-error.ts';
import { HeldMemory } from '../storage/held-memory.ts';
import type { ApiCursor } from './api-cursor.ts';
import type { Cursor, NamedCursor } from './cursor.ts';
import { RowCollector } from './rowset.ts';

/** The bytes that all open cursors of a session may hold. */
export const cursorMemory = 64 * 1024 * 1024;

/** The first handle that SQL Server gives out, and the distance to the next. */
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
  /** Every cursor that is declared or open, those local to a batch or procedure too. */
  readonly #known = new Set<Cursor>();
  #nextHandle: number = handles.first;
  readonly #memory: HeldMemory;

  constructor(memory: MemoryBudget) {
    this.#memory = new HeldMemory(memory);
  }

  /** True when a client has no cursor, open or closed. */
  get isEmpty(): boolean {
    return this.#byHandle.size === 0 && this.global.size === 0;
  }

  /** @@CURSOR_ROWS. */
  get lastRows(): number {
    return this.#last?.qualifyingRows ?? 0;
  }

  /** Gathers rows for a cursor within what is left of the session's memory for them; `used` is about to be taken too. */
  collector(used = 0): RowCollector {
    this.#memory.become(this.#held);
    return new RowCollector(cursorMemory - used - this.#memory.bytes);
  }

  /** Notes that a cursor has been declared: 701 where there is no room for its query and the values in that. */
  declared(cursor: Cursor): void {
    this.#known.add(cursor);
    this.#hold(() => this.forget(cursor));
  }

  /** Notes that a cursor has been opened. */
  opened(cursor: Cursor): void {
    this.#known.add(cursor);
    this.#last = cursor;
    this.#hold(() => this.close(cursor));
  }

  #hold(undo: () => void): void {
    try {
      this.#memory.become(this.#held);
    } catch (error) {
      undo();
      throw error;
    }
  }

  /** Closes a cursor, which may be opened again. */
  close(cursor: Cursor): void {
    cursor.close();
    this.#memory.become(this.#held);
  }

  /** Closes a cursor for good. */
  forget(cursor: Cursor): void {
    cursor.close();
    this.#known.delete(cursor);
    this.#memory.become(this.#held);
  }

  /** What cursors take, and the rows of those that are open. */
  get #held(): number {
    let held = 0;
    for (const { rowset, bytes } of this.#known) held += bytes + (rowset?.bytes ?? 0);
    return held;
  }

  /** Keeps a cursor of the API and returns its handle. */
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

  /** 16909 when no cursor of the API has that handle, or no longer. */
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
    this.#closeForGood([...this.#byHandle.keys()]);
  }

  /** What is left is counted once: for each of thousands of them that would take seconds. */
  #closeForGood(handles: readonly number[]): void {
    if (handles.length === 0) return;
    for (const handle of handles) {
      const cursor = this.#byHandle.get(handle);
      this.#byHandle.delete(handle);
      if (cursor === undefined) continue;
      cursor.close();
      this.#known.delete(cursor);
    }
    this.#memory.become(this.#held);
  }

  /** The cursor of that name that outlives its batch: one of T-SQL, or one of the API that sp_cursoroption has named. */
  byName(name: string): NamedCursor | ApiCursor | undefined {
    const key = fold(name);
    return this.global.get(key) ?? [...this.#byHandle.values()].find((each) => fold(each.name) === key);
  }

  /** A transaction has ended: SET CURSOR_CLOSE_ON_COMMIT closes all, a rollback those that are not copies. */
  transactionEnded(rolledBack: boolean, closeOnCommit: boolean): void {
    const ends = (cursor: Cursor): boolean => closeOnCommit || (rolledBack && cursor.traits.type !== 'static');
    this.#closeForGood([...this.#byHandle].flatMap(([handle, cursor]) => (ends(cursor) ? [handle] : [])));
    for (const cursor of this.#known) if (ends(cursor)) cursor.close();
  }

  reset(): void {
    for (const cursor of this.#known) cursor.close();
    this.#known.clear();
    this.#memory.free();
    this.#byHandle.clear();
    this.global.clear();
    this.#last = undefined;
    this.fetchStatus = 0;
  }
}
