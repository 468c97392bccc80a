import { LateMap } from '../base/late-map.ts';
import type { MemoryBudget } from '../base/memory/memory-budget.ts';
import { sqlError } from '../base/messages/sql-error.ts';
import { ownValue } from '../base/text/own-part.ts';
import type { ObjectName } from '../procedure/object-name.ts';
import type { CreateProcedure, InsertBulk, PreparedParam, Statement } from '../syntax/ast/statement.ts';
import { treeSize } from '../syntax/parser/parse.ts';
import type { TypedValue } from '../tds/types/sql-type.ts';
import { Cursors } from './cursors/cursors.ts';
import { sizeOf } from './query/run.ts';
import { HeldMemory } from './storage/held-memory.ts';
import type { MadeView } from './storage/made-view.ts';
import type { MemoryTable } from './storage/memory-table.ts';
import { UndoLog } from './storage/undo-log.ts';

/** A text that a client prepared. */
export interface PreparedText {
  readonly text: string;
  /** The syntax tree of the text. */
  readonly statements: readonly Statement[];
  readonly params: readonly PreparedParam[];
}

/** A procedure that a client created for its session. */
export interface TemporaryProcedure {
  readonly name: string;
  readonly definition: CreateProcedure;
  readonly objectId: number;
  readonly maker: ProcedureMaker;
  /** The memory of its text and tree. */
  readonly memory: HeldMemory;
}

/** Who created a procedure: others see a global one, but may neither change nor run it with their own rights. */
interface ProcedureMaker {
  /** The session that it ends with. */
  readonly spid: number;
  readonly login: string;
  readonly isAdministrator: boolean;
}

/** Bytes of SESSION_CONTEXT, as SQL Server has it. */
const mostContext = 1024 * 1024;

const preparedSize = (statement: PreparedText | ObjectName): number =>
  'text' in statement ? 1000 + statement.text.length * 2 + treeSize(statement.statements) : 1000;

/** The state that T-SQL keeps between the batches of one session. */
export class SessionState {
  /** Temporary objects are dbo's. */
  readonly schema = 'dbo';
  /** Temporary tables by their folded name, `#t`. */
  readonly tables = new LateMap<string, MemoryTable>();
  /** Temporary procedures by their folded name, `#p`. */
  readonly procedures = new LateMap<string, TemporaryProcedure>();
  /** There are no temporary views: none is ever kept here. */
  readonly views = new LateMap<string, MadeView>();
  /** What clients prepared, by handle: a text, or the call of a procedure. */
  readonly prepared = new LateMap<number, PreparedText | ObjectName>();
  /** What changed in temporary tables since the transaction began. */
  readonly undo = new UndoLog();
  /** SESSION_CONTEXT by folded key. */
  readonly context = new LateMap<string, { value: TypedValue; readOnly: boolean }>();
  contextInfo: Uint8Array | null = null;
  /** The INSERT BULK whose rows are still to come. */
  bulk: InsertBulk | undefined = undefined;
  /** The number of the table that SET IDENTITY_INSERT is on for. */
  identityInsert: number | undefined = undefined;
  /** @@IDENTITY, and SCOPE_IDENTITY(). */
  identity: bigint | null = null;
  /** @@ROWCOUNT. */
  rowCount = 0;
  /** @@ERROR. */
  error = 0;
  /** The name that the outermost BEGIN TRANSACTION gave. */
  outerTransaction: string | undefined = undefined;
  readonly #memory: MemoryBudget;
  readonly #preparedMemory: HeldMemory;
  #cursors: Cursors | undefined;
  #contextMemory = 0;
  #nextHandle = 1;
  #nextObjectId = -1;

  constructor(memory: MemoryBudget) {
    this.#memory = memory;
    this.#preparedMemory = new HeldMemory(memory);
  }

  get cursors(): Cursors {
    this.#cursors ??= new Cursors(this.#memory);
    return this.#cursors;
  }

  /** The cursors, if any have been used: few clients use them. */
  get usedCursors(): Cursors | undefined {
    return this.#cursors;
  }

  /** Stores a prepared statement and returns its handle; 701 if the session has prepared too much. */
  prepare(statement: PreparedText | ObjectName): number {
    this.#preparedMemory.take(preparedSize(statement));
    const handle = this.#nextHandle++;
    this.prepared.set(handle, statement);
    return handle;
  }

  /**
   * Sets a value of SESSION_CONTEXT, or removes it: 15664 for a read-only one, 15665 if all of them would take more
   * than
   * 1 MB.
   */
  setContext(key: string, value: TypedValue | undefined, readOnly: boolean): void {
    const before = this.context.get(key);
    if (before?.readOnly) throw sqlError(15_664, key);
    const size = (of: TypedValue | undefined): number => (of === undefined ? 0 : sizeOf(key) + sizeOf(of.value));
    const bytes = this.#contextMemory - size(before?.value) + size(value);
    if (bytes > mostContext) throw sqlError(15_665, key);
    this.#contextMemory = bytes;
    if (value === undefined) this.context.delete(key);
    else this.context.set(key, { value: { ...value, value: ownValue(value.value) }, readOnly });
  }

  /** Removes a prepared statement; false if there is none with that handle. */
  unprepare(handle: number): boolean {
    const statement = this.prepared.get(handle);
    if (statement === undefined) return false;
    this.prepared.delete(handle);
    this.#preparedMemory.giveBack(preparedSize(statement));
    return true;
  }

  /** An object_id for a temporary table or procedure. */
  newObjectId(): number {
    return this.#nextObjectId--;
  }

  /** Clears everything, for the reset of a connection, except for what undoes a transaction that is kept. */
  reset(keepTransaction: boolean): void {
    for (const table of this.tables.values()) table.free();
    this.tables.clear();
    for (const { memory } of this.procedures.values()) memory.free();
    this.procedures.clear();
    this.#contextMemory = 0;
    this.prepared.clear();
    this.#preparedMemory.free();
    this.#cursors?.reset();
    if (!keepTransaction) {
      this.undo.clear();
      this.outerTransaction = undefined;
    }
    this.context.clear();
    this.contextInfo = null;
    this.identity = null;
    this.bulk = undefined;
    this.identityInsert = undefined;
    this.rowCount = 0;
    this.error = 0;
  }
}
