import { fold } from '../../base/collation.ts';
import { sqlError } from '../../base/sql-error.ts';
import { AppLocks, type LockMode, type LockResult } from '../../procedure/app-locks.ts';
import { Cancelled } from '../../procedure/fault.ts';
import type { Host } from '../host.ts';
import type { TemporaryProcedure } from '../session-state.ts';
import type { MemoryTable } from './memory-table.ts';

/** What a lock that was not had means to the statement that wanted it. */
const failures: Readonly<Record<Exclude<LockResult, `granted${string}`>, (spid: number) => Error>> = {
  'timed out': () => sqlError(1222),
  deadlock: (spid) => sqlError(1205, spid, 'lock'),
  cancelled: () => new Cancelled(),
};

/**
 * The tables and procedures that administrators make in tempdb, and global temporary ones: every session sees them, and
 * they are gone after a restart. A statement that changes a table has it for itself until its transaction ends.
 */
export class TempDb {
  /** By folded name. */
  readonly tables = new Map<string, MemoryTable>();
  readonly procedures = new Map<string, TemporaryProcedure>();
  readonly #locks = new AppLocks();
  readonly #changing = new Map<number, Set<MemoryTable>>();
  /** The sessions that made the global temporary tables, which are locked by their makers first. */
  readonly #makers = new Map<string, number>();
  #lastObjectId = 0x40000000;

  newObjectId(): number {
    return ++this.#lastObjectId;
  }

  /** A session is gone, or begins anew: its global temporary tables go with it. */
  leave(spid: number): void {
    this.unlock(spid);
    for (const [name, maker] of this.#makers) {
      if (maker !== spid) continue;
      this.#makers.delete(name);
      this.tables.delete(name);
    }
  }

  /** Waits until no other session's transaction has changed the table. */
  async awaitReadable(table: MemoryTable, host: Host, signal: AbortSignal): Promise<void> {
    await this.#lock(table, 'Shared', host, signal);
    this.#locks.release(resource(table), owner(host));
  }

  /** Takes the table for a session that is going to change it, until `unlock`. */
  async lock(table: MemoryTable, host: Host, signal: AbortSignal): Promise<void> {
    const mine = this.#changing.get(host.identity.spid) ?? new Set();
    if (mine.has(table)) return;
    await this.#lock(table, 'Exclusive', host, signal);
    table.undo = host.state.undo;
    const name = fold(table.name);
    if (name.startsWith('##') && !this.#makers.has(name)) this.#makers.set(name, host.identity.spid);
    this.#changing.set(host.identity.spid, mine.add(table));
  }

  /** Lets others at the tables that a session has changed: at the end of its transaction, or of a statement outside one. */
  unlock(spid: number): void {
    const mine = this.#changing.get(spid);
    if (mine === undefined) return;
    for (const table of mine) table.undo = undefined;
    this.#changing.delete(spid);
    this.#locks.releaseAll({ spid, scope: 'Transaction' });
  }

  async #lock(table: MemoryTable, mode: LockMode, host: Host, signal: AbortSignal): Promise<void> {
    const request = { owner: owner(host), mode, timeout: host.options.lockTimeout };
    const result = await this.#locks.acquire(resource(table), request, signal);
    if (result !== 'granted' && result !== 'granted after waiting') throw failures[result](host.identity.spid);
  }
}

const owner = ({ identity }: Host) => ({ spid: identity.spid, scope: 'Transaction' }) as const;
const resource = ({ objectId }: MemoryTable) => ({ database: 'tempdb', principal: '', name: String(objectId) });
