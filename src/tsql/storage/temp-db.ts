import type { MemoryBudget } from '../../base/memory/memory-budget.ts';
import { sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import {
  AppLocks,
  type LockEntry,
  type LockMode,
  type LockResource,
  type LockResult,
} from '../../procedure/locks/app-locks.ts';
import { Cancelled } from '../../procedure/run/fault.ts';
import type { Host } from '../host.ts';
import type { TemporaryProcedure } from '../session-state.ts';
import { MadeObjects } from './made-objects.ts';
import type { MadeView } from './made-view.ts';
import type { MemoryTable } from './memory-table.ts';
import type { ObjectPlace } from './object-place.ts';
import type { Reading } from './reading.ts';
import { TableTypes } from './table-types.ts';

/** The effect of a refused lock on the statement that requested it. */
const failures: Readonly<Record<Exclude<LockResult, `granted${string}`>, (spid: number) => Error>> = {
  'timed out': () => sqlError(1222),
  deadlock: (spid) => sqlError(1205, spid, 'lock'),
  cancelled: () => new Cancelled(),
};

/** What becomes of a transaction that others wait for. */
interface Blocking {
  /** Milliseconds that somebody waits before it ends; 0 means no limit. */
  readonly longest: number;
  /** Ends the transaction of a session. */
  end(spid: number): void;
}

/** What a statement does to a table: rows that are only added disturb nobody who reads the others again. */
type Changing = 'insert' | 'change';

/**
 * The tables, procedures and views that administrators make in tempdb, and global temporary tables and procedures: every
 * session sees them, and they are gone after a restart. A statement that changes a table has it for itself until its
 * transaction ends. Locks are on a whole table, and on the rows it has: those who want to read rows again share the
 * latter, and only statements that change rows, not those that insert some, need it for themselves.
 */
export class TempDb {
  readonly schema = 'dbo';
  /** By folded name. */
  readonly tables = new MadeObjects<MemoryTable>(({ maker }) => maker);
  readonly procedures = new MadeObjects<TemporaryProcedure>(({ maker }) => maker.spid);
  readonly views = new Map<string, MadeView>();
  readonly types = new TableTypes();
  /** The schemas that clients made, by folded name. */
  readonly schemas = new Map<string, ObjectPlace>();
  readonly #locks = new AppLocks();
  readonly #changing = new Map<number, Set<MemoryTable>>();
  /** What sessions keep until the end of their transactions, as text, so that nothing is taken twice. */
  readonly #kept = new Map<number, Set<string>>();
  #lastObjectId = 0x40000000;
  #rowVersion = 0n;
  /** What its tables may take together. */
  readonly memory: MemoryBudget;
  readonly #blocking: Blocking;

  constructor(memory: MemoryBudget, blocking: Blocking) {
    this.memory = memory;
    this.#blocking = blocking;
  }

  newObjectId(): number {
    return ++this.#lastObjectId;
  }

  /** The last rowversion that a row in tempdb was given, in a temporary table too. */
  get rowVersion(): bigint {
    return this.#rowVersion;
  }

  /** All rows of tempdb have different row versions, whoever writes them. */
  newRowVersion(): bigint {
    return ++this.#rowVersion;
  }

  /** The objects of a schema; undefined if there is none of that name. */
  placeOf(schema = 'dbo'): ObjectPlace | undefined {
    return fold(schema) === 'dbo' ? this : this.schemas.get(fold(schema));
  }

  /** A schema with nothing in it. */
  newSchema(schema: string): ObjectPlace {
    const newObjectId = () => this.newObjectId();
    return { schema, tables: new Map(), procedures: new Map(), views: new Map(), newObjectId };
  }

  /** Every schema with what it holds. */
  get places(): readonly ObjectPlace[] {
    return [this, ...this.schemas.values()];
  }

  /** A session has ended or was reset: drops its global temporary tables and procedures. */
  dropMadeBy(spid: number): void {
    for (const name of this.tables.madeBy(spid)) {
      this.tables.get(name)?.free();
      this.tables.delete(name);
    }
    for (const name of this.procedures.madeBy(spid)) {
      this.procedures.get(name)?.memory.free();
      this.procedures.delete(name);
    }
  }

  /**
   * Waits until the table can be read so: but for read uncommitted, until no other session's transaction has changed
   * it. Inside a transaction the stronger levels keep others from changing it then, or its rows, until the end.
   */
  async awaitReadable(table: MemoryTable, reading: Reading, host: Host, signal: AbortSignal): Promise<void> {
    if (reading === 'read uncommitted') return;
    if (reading === 'exclusive') return this.lock(table, 'change', host, signal);
    const keeps = host.transactions.count > 0;
    const mode = reading === 'update' ? 'Update' : 'Shared';
    if (keeps && (reading === 'serializable' || reading === 'update')) {
      await this.#keep(whole(table), mode, host, signal);
      return;
    }
    await this.#lock(whole(table), mode, host, signal);
    try {
      if (keeps && reading === 'repeatable read') await this.#keep(rowsOf(table), 'Shared', host, signal);
    } finally {
      this.#locks.release(whole(table), owner(host));
    }
  }

  /** Takes the table for a session that is going to change it, until `unlock`. */
  async lock(table: MemoryTable, changing: Changing, host: Host, signal: AbortSignal): Promise<void> {
    const isNew = await this.#keep(whole(table), 'Exclusive', host, signal);
    try {
      if (changing === 'change') await this.#keep(rowsOf(table), 'Exclusive', host, signal);
    } catch (error) {
      // A statement that has changed nothing does not keep others from the table.
      if (isNew) this.#giveBack(whole(table), 'Exclusive', host);
      throw error;
    }
    table.undo = host.state.undo;
    const { spid } = host.identity;
    this.#changing.set(spid, (this.#changing.get(spid) ?? new Set()).add(table));
  }

  /** True for an object that ends with its session: `##t`. */
  hasMade(spid: number): boolean {
    return this.tables.hasMade(spid);
  }

  /** True when a session keeps tables that others may have to wait for. */
  keepsAny(spid: number): boolean {
    return this.#kept.has(spid);
  }

  /** The locks on tables that are waited for. */
  lockWaits(): readonly LockEntry[] {
    return this.#locks.waiting();
  }

  /**
   * Lets others at the tables that a session has kept: at the end of its transaction, or of a statement outside one.
   */
  unlock(spid: number): void {
    if (!this.#kept.delete(spid)) return;
    for (const table of this.#changing.get(spid) ?? []) table.undo = undefined;
    this.#changing.delete(spid);
    this.#locks.releaseAll({ spid, scope: 'Transaction' });
  }

  /** Takes a lock until `unlock`; false when the session has it already. */
  async #keep(resource: LockResource, mode: LockMode, host: Host, signal: AbortSignal): Promise<boolean> {
    const { spid } = host.identity;
    if (this.#kept.get(spid)?.has(keyOf(resource, mode))) return false;
    await this.#lock(resource, mode, host, signal);
    this.#kept.set(spid, (this.#kept.get(spid) ?? new Set()).add(keyOf(resource, mode)));
    return true;
  }

  #giveBack(resource: LockResource, mode: LockMode, host: Host): void {
    this.#kept.get(host.identity.spid)?.delete(keyOf(resource, mode));
    this.#locks.release(resource, owner(host));
  }

  async #lock(resource: LockResource, mode: LockMode, host: Host, signal: AbortSignal): Promise<void> {
    const request = { owner: owner(host), mode, timeout: host.options.lockTimeout };
    const relief = this.#relief(host.identity.spid);
    const result = await this.#locks.acquire(resource, request, signal).finally(() => clearInterval(relief));
    if (result !== 'granted' && result !== 'granted after waiting') throw failures[result](host.identity.spid);
  }

  /** For as long as a session waits: ends the transactions that keep it waiting for too long. */
  #relief(spid: number): NodeJS.Timeout | undefined {
    const { longest, end } = this.#blocking;
    if (longest === 0) return undefined;
    const look = () => {
      const waits = this.lockWaits();
      const by = waits.find(({ owner }) => owner.spid === spid)?.blockedBy;
      // Who waits as well is not the reason.
      if (by !== undefined && !waits.some(({ owner }) => owner.spid === by)) end(by);
    };
    return setInterval(look, longest).unref();
  }
}

const owner = ({ identity }: Host) => ({ spid: identity.spid, scope: 'Transaction' }) as const;
const keyOf = ({ name }: LockResource, mode: LockMode): string => `${name} ${mode}`;
const named = (name: string): LockResource => ({ database: 'tempdb', principal: '', name });
const whole = ({ objectId }: MemoryTable) => named(`${objectId}`);
const rowsOf = ({ objectId }: MemoryTable) => named(`${objectId} rows`);
