import { SqlError, sqlError } from '../base/messages/sql-error.ts';
import { fold } from '../base/text/collation.ts';
import { Turn } from '../base/threads/turn.ts';
import type { ObjectName } from '../procedure/object-name.ts';
import type { AnyType } from '../tds/types/sql-type.ts';
import type { NamedCursor } from './cursors/cursor.ts';
import type { Host } from './host.ts';
import { sizeOf } from './query/run.ts';
import type { StatementSink } from './statement-sink.ts';
import { Failure } from './statements/failure.ts';
import { HeldMemory } from './storage/held-memory.ts';
import type { MemoryTable } from './storage/memory-table.ts';

/** A scalar variable or parameter. */
export interface Variable {
  readonly name: string;
  readonly type: AnyType;
  value: unknown;
  /** Present for an undeclared variable: receives the type that its context requires. */
  deduce?: (type: AnyType) => void;
}

/** Shorter values are not counted: there are not enough of them to matter. */
const countedFrom = 256;
const heldSize = (value: unknown): number =>
  (typeof value === 'string' || value instanceof Uint8Array) && value.length >= countedFrom ? sizeOf(value) : 0;

/** A variable whose value is counted in the memory of its frame. */
class HeldVariable implements Variable {
  readonly name: string;
  readonly type: AnyType;
  readonly #memory: HeldMemory;
  #value: unknown = null;

  constructor(name: string, type: AnyType, memory: HeldMemory) {
    this.name = name;
    this.type = type;
    this.#memory = memory;
  }

  get value(): unknown {
    return this.#value;
  }

  set value(value: unknown) {
    const more = heldSize(value) - heldSize(this.#value);
    if (more > 0) this.#memory.take(more);
    else if (more < 0) this.#memory.giveBack(-more);
    this.#value = value;
  }
}

/** A table that holds the rows of a relation while a statement changes it, and is used in its place. */
interface StandIn {
  readonly table: MemoryTable;
  /** The names as they appear in the statement; elsewhere the relation itself is read. */
  readonly at: ReadonlySet<ObjectName>;
}

/** The maximum nesting of procedure calls. */
const deepest = 32;

/** The scope in which statements run: a batch, a text of EXEC or sp_executesql, or a procedure. */
export class Frame {
  readonly host: Host;
  readonly sink: StatementSink;
  readonly signal: AbortSignal;
  /** The turn of the session on the event loop. */
  readonly turn: Turn;
  /** @@NESTLEVEL: 0 in a batch, one more in each nested procedure or text. */
  readonly level: number;
  /** The procedure's name, or empty in a batch. */
  readonly procedure: string;
  /** @@PROCID. */
  readonly procedureId: number;
  /** True between BEGIN TRY and END TRY, here or in a caller. */
  inTry: boolean;
  /** True when the statement that called this frame runs between BEGIN TRY and END TRY. */
  readonly callerInTry: boolean;
  /** True once an aggregate of the running statement has skipped a NULL. */
  nullEliminated = false;
  /** The default return code of a procedure: 10 minus the severity of its last error, caught or not. */
  errorStatus = 0;
  /** The errors that CATCH blocks are handling now, the innermost last. */
  readonly caught: SqlError[];
  /** Temporary tables created here, by folded name: those of a procedure are dropped with it. */
  readonly created: string[] = [];
  /** Cursors declared LOCAL here, by folded name; they are dropped with the batch or procedure. */
  readonly cursors = new Map<string, NamedCursor>();
  /** Present while a statement changes a relation of a database. */
  #standIn: StandIn | undefined;
  readonly #variables = new Map<string, Variable>();
  readonly #tables = new Map<string, MemoryTable>();
  /** Those of parameters, which nobody may change; some are the caller's own. */
  readonly #lent = new Map<string, MemoryTable>();
  /** The memory that its variables take. */
  readonly #memory: HeldMemory;

  constructor(
    host: Host,
    sink: StatementSink,
    signal: AbortSignal,
    caller?: Frame,
    procedure?: { readonly name: string; readonly objectId: number },
  ) {
    this.host = host;
    this.sink = sink;
    this.signal = signal;
    this.turn = caller?.turn ?? new Turn(signal);
    this.level = caller === undefined ? 0 : caller.level + 1;
    this.procedure = procedure?.name ?? '';
    this.procedureId = procedure?.objectId ?? 0;
    this.callerInTry = caller?.inTry ?? false;
    this.inTry = this.callerInTry;
    this.caught = [...(caller?.caught ?? [])];
    this.#memory = new HeldMemory(host.memory);
    if (this.level > deepest) throw sqlError(217, deepest);
  }

  /** True while a table replaces a relation. */
  get hasStandIn(): boolean {
    return this.#standIn !== undefined;
  }

  /** Runs work in which a table replaces a relation of a database. */
  async standingIn<T>(table: MemoryTable, at: ReadonlySet<ObjectName>, work: () => Promise<T>): Promise<T> {
    this.#standIn = { table, at };
    try {
      return await work();
    } finally {
      this.#standIn = undefined;
    }
  }

  /** The table that replaces a relation where a statement refers to it, if any. */
  standInFor(name: ObjectName): MemoryTable | undefined {
    return this.#standIn?.at.has(name) ? this.#standIn.table : undefined;
  }

  declare(name: string, type: AnyType, value: unknown = null): Variable {
    const variable = new HeldVariable(name, type, this.#memory);
    variable.value = value;
    this.#variables.set(fold(name), variable);
    return variable;
  }

  find(name: string): Variable | undefined {
    return this.#variables.get(fold(name));
  }

  /** 137 if there is none of that name: EXEC of a text does not see its caller's variables. */
  variable(name: string): Variable {
    const found = this.find(name);
    if (found === undefined) throw sqlError(137, name);
    return found;
  }

  declareTable(name: string, table: MemoryTable): void {
    // In a loop it takes the place of the one before.
    this.#tables.get(fold(name))?.free();
    this.#tables.set(fold(name), table);
  }

  /** A table that statements may read under this name, and not change. */
  lendTable(name: string, table: MemoryTable): void {
    this.#lent.set(fold(name), table);
  }

  /** A table variable that is to be changed: 10700 for a parameter. */
  ownTable(name: string): MemoryTable {
    if (this.#lent.has(fold(name))) throw sqlError(10_700, name);
    return this.table(name);
  }

  table(name: string): MemoryTable {
    const found = this.#tables.get(fold(name)) ?? this.#lent.get(fold(name));
    if (found === undefined) throw sqlError(1087, name);
    return found;
  }

  /** Runs a procedure's or a text's work in this frame; its SET options, temporary tables and USE end with it. */
  async within<T>(work: () => Promise<T>): Promise<T> {
    const { options, state, database } = this.host;
    const before = { ...options };
    try {
      return await work();
    } catch (error) {
      throw error instanceof SqlError || error instanceof Failure ? Failure.of(error).outOfScope() : error;
    } finally {
      Object.assign(options, before);
      for (const table of this.created) {
        state.tables.get(table)?.free();
        state.tables.delete(table);
      }
      this.drop();
      if (this.host.database !== database) await this.host.use(database);
    }
  }

  /** Releases what is local to this frame: cursors, and the memory of variables and their tables. */
  drop(): void {
    this.#memory.free();
    for (const table of this.#tables.values()) table.free();
    for (const cursor of this.cursors.values()) this.host.state.cursors.forget(cursor);
    this.cursors.clear();
  }

  /** Throws the reason of the abort if the client has cancelled. */
  throwIfCancelled(): void {
    this.signal.throwIfAborted();
  }
}
