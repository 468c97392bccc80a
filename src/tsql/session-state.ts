import type { ObjectName } from '../procedure/object-name.ts';
import type { AnyType, TypedValue } from '../tds/types/sql-type.ts';
import type { CreateProcedure, InsertBulk, Statement } from './ast/statement.ts';
import { Cursors } from './cursors/cursors.ts';
import type { MemoryTable } from './storage/memory-table.ts';
import { UndoLog } from './storage/undo-log.ts';

/** A text that a client prepared. */
export interface Prepared {
  readonly text: string;
  /** What the text was read as when it was prepared. */
  readonly statements: readonly Statement[];
  readonly params: readonly PreparedParam[];
}

/** A parameter in the declaration list of sp_executesql and sp_prepare. */
export interface PreparedParam {
  /** With its @. */
  readonly name: string;
  readonly type: AnyType;
  readonly output: boolean;
}

/** A procedure that a client created for its session. */
export interface TemporaryProcedure {
  readonly name: string;
  readonly definition: CreateProcedure;
  readonly objectId: number;
}

/** What T-SQL keeps between the batches of one session. */
export class SessionState {
  /** Temporary objects are dbo's. */
  readonly schema = 'dbo';
  /** Temporary tables by their folded name, `#t`. */
  readonly tables = new Map<string, MemoryTable>();
  /** Temporary procedures by their folded name, `#p`. */
  readonly procedures = new Map<string, TemporaryProcedure>();
  /** What clients prepared, by handle: a text, or the call of a procedure. */
  readonly prepared = new Map<number, Prepared | ObjectName>();
  readonly cursors = new Cursors();
  /** What changed in temporary tables since the transaction began. */
  readonly undo = new UndoLog();
  /** SESSION_CONTEXT by folded key. */
  readonly context = new Map<string, { value: TypedValue; readOnly: boolean }>();
  contextInfo: Uint8Array | null = null;
  /** The INSERT BULK whose rows are still to come. */
  bulk: InsertBulk | undefined = undefined;
  /** The table that SET IDENTITY_INSERT is on for, folded. */
  identityInsert: string | undefined = undefined;
  /** The last rowversion that a temporary table's row was given. */
  rowVersion = 0n;
  /** @@IDENTITY, and SCOPE_IDENTITY(). */
  identity: bigint | null = null;
  /** @@ROWCOUNT. */
  rowCount = 0;
  /** @@ERROR. */
  error = 0;
  /** The name that the outermost BEGIN TRANSACTION gave. */
  outerTransaction: string | undefined = undefined;
  #nextHandle = 1;
  #nextObjectId = -1;

  /** Keeps a prepared statement and returns its handle. */
  prepare(statement: Prepared | ObjectName): number {
    const handle = this.#nextHandle++;
    this.prepared.set(handle, statement);
    return handle;
  }

  /** An object_id for a temporary table or procedure. */
  newObjectId(): number {
    return this.#nextObjectId--;
  }

  /** Forgets everything, as a connection's reset does. */
  reset(): void {
    this.tables.clear();
    this.procedures.clear();
    this.prepared.clear();
    this.cursors.reset();
    this.undo.clear();
    this.outerTransaction = undefined;
    this.context.clear();
    this.contextInfo = null;
    this.identity = null;
    this.bulk = undefined;
    this.identityInsert = undefined;
    this.rowCount = 0;
    this.error = 0;
  }
}
