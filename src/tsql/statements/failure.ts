import { type Extent, extentOf } from '../../base/extent.ts';
import type { SqlError } from '../../base/sql-error.ts';
import type { Statement } from '../../syntax/ast/statement.ts';
import type { Frame } from '../frame.ts';
import type { StatementSink } from '../statement-sink.ts';

interface Traits {
  /** What it ends; undefined until a statement has said so. */
  readonly ends?: Extent;
  /** True for one that no CATCH of its own scope sees. */
  readonly passesTry?: boolean;
  /** True once it has left the scope it happened in. */
  readonly hasLeftScope?: boolean;
  /** True once the client has heard of it. */
  readonly isTold?: boolean;
  /** True when the client is to hear of it at once: RAISERROR … WITH NOWAIT. */
  readonly isUrgent?: boolean;
  /** Procedures that it came out of: the client hears of an error before their end, so who tells it leaves them. */
  readonly left?: readonly StatementSink[];
}

/** An error on its way up through statements and scopes, with what it ends. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly error: SqlError;
  readonly #traits: Traits;
  readonly passesTry: boolean;
  readonly isTold: boolean;
  readonly isUrgent: boolean;

  constructor(error: SqlError, traits: Traits = {}) {
    super(error.message, { cause: error });
    this.error = error;
    this.#traits = traits;
    this.passesTry = traits.passesTry ?? false;
    this.isTold = traits.isTold ?? false;
    this.isUrgent = traits.isUrgent ?? false;
  }

  /** The failure that something thrown is: an error that no statement has seen yet becomes one. */
  static of(thrown: SqlError | Failure): Failure {
    return thrown instanceof Failure ? thrown : new Failure(thrown);
  }

  get ends(): Extent {
    return this.#traits.ends ?? extentOf(this.error);
  }

  /** True when the open transaction is lost with it. */
  get undoes(): boolean {
    return this.ends === 'transaction';
  }

  /** The same failure once the client has heard of it, or as if it had not. */
  told(isTold = true): Failure {
    return new Failure(this.error, { ...this.#traits, isTold });
  }

  /** The same failure outside of the procedure that reported to the sink. */
  outOf(sink: StatementSink): Failure {
    return new Failure(this.error, { ...this.#traits, left: [...(this.#traits.left ?? []), sink] });
  }

  /** The same failure outside of the scope it happened in: from there on it can be caught, and ends no more than a statement. */
  outOfScope(): Failure {
    if (this.isTold) return this;
    const ends: Traits = this.#traits.ends === 'scope' ? { ends: 'statement' } : {};
    return new Failure(this.error, { ...this.#traits, ...ends, passesTry: false, hasLeftScope: true });
  }

  /**
   * Leaves the procedures it came out of, innermost first; false when there is none. Where the batch goes on behind them
   * they return what the severity says.
   */
  leaveProcedures(heard: 'told' | 'caught'): boolean {
    const status = heard === 'told' && this.ends === 'statement' ? this.error.returnStatus : undefined;
    for (const sink of this.#traits.left ?? []) sink.leave(status, true);
    return this.#traits.left !== undefined;
  }

  /** The same failure once those procedures are left. */
  outOfProcedures(): Failure {
    const { left, ...traits } = this.#traits;
    return left === undefined ? this : new Failure(this.error, traits);
  }

  /** The failure of a statement: where it happened and what it ends, unless that is decided. */
  in(statement: Statement, frame: Frame): Failure {
    if (this.#traits.ends !== undefined) return this;
    const { error } = this;
    const isPlaced = error.isPlaced || error.procedure !== '';
    const here = isPlaced ? error : error.at({ line: statement.line, procedure: frame.procedure });
    const byNumber = extentIn(statement, here);
    const own = byNumber === 'scope' && this.#traits.hasLeftScope ? 'statement' : byNumber;
    const ends = frame.host.options.xactAbort && own !== 'connection' ? 'transaction' : own;
    return new Failure(here, { ...this.#traits, ends, passesTry: own === 'scope' });
  }
}

/** CREATE TABLE permission denied. */
const notAllowed = 262;

/** A value that does not fit a parameter (8114) ends the EXECUTE only; a table that cannot be made ends the batch. */
function extentIn({ kind }: Statement, error: SqlError): Extent {
  if (error.number === 8114 && kind === 'execute') return 'statement';
  const ends = extentOf(error);
  return kind === 'createTable' && error.number !== notAllowed && ends === 'statement' ? 'transaction' : ends;
}

/** What a scope came to; undefined when an error ended it, of which the client has been told. */
export async function unlessAborted<T>(scope: () => Promise<T>): Promise<T | undefined> {
  try {
    return await scope();
  } catch (error) {
    if (error instanceof Failure && error.isTold && error.ends === 'scope') return undefined;
    throw error;
  }
}

/** The failure that aborted a run, if any; one that the client has not been told is thrown as its SqlError. */
export async function untilAborted(run: () => Promise<void>): Promise<Failure | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.isTold) return error;
    throw error.error;
  }
}
