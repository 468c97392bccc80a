import { type Extent, extentOf } from '../../base/messages/extent.ts';
import type { SqlError } from '../../base/messages/sql-error.ts';
import type { Statement } from '../../syntax/ast/statement.ts';
import type { Frame } from '../frame.ts';
import type { StatementSink } from '../statement-sink.ts';

interface Traits {
  /** What it ends; undefined until a statement has determined it. */
  readonly ends?: Extent;
  /** True for one that no CATCH of its own scope catches. */
  readonly passesTry?: boolean;
  /** True once it has left the scope that it was raised in. */
  readonly hasLeftScope?: boolean;
  /** True once the client has been told. */
  readonly isTold?: boolean;
  /** True if the client is to be told at once: RAISERROR … WITH NOWAIT. */
  readonly isUrgent?: boolean;
  /**
   * The sinks of the procedures that it has propagated out of: the client gets an error before the end of the
   * procedure, so whoever reports the error ends them.
   */
  readonly left?: readonly StatementSink[];
}

/** An error that propagates through statements and scopes, and how much it ends. */
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

  /** The failure for anything thrown: an error that no statement has handled yet becomes one. */
  static of(thrown: SqlError | Failure): Failure {
    return thrown instanceof Failure ? thrown : new Failure(thrown);
  }

  get ends(): Extent {
    return this.#traits.ends ?? extentOf(this.error);
  }

  /** True if it ends the open transaction. */
  get undoes(): boolean {
    return this.ends === 'transaction';
  }

  /** The same failure, marked as told to the client or not. */
  told(isTold = true): Failure {
    return new Failure(this.error, { ...this.#traits, isTold });
  }

  /** The same failure after it has left the procedure that reports to this sink. */
  outOf(sink: StatementSink): Failure {
    return new Failure(this.error, { ...this.#traits, left: [...(this.#traits.left ?? []), sink] });
  }

  /** The same failure after it has left its scope: from here on it can be caught, and ends no more than a statement. */
  outOfScope(): Failure {
    if (this.isTold) return this;
    const ends: Traits = this.#traits.ends === 'scope' ? { ends: 'statement' } : {};
    return new Failure(this.error, { ...this.#traits, ...ends, passesTry: false, hasLeftScope: true });
  }

  /**
   * Ends the procedures that it has left, innermost first; false if there are none. If the batch continues after them,
   * they return the status for the error's severity.
   */
  leaveProcedures(how: 'told' | 'caught'): boolean {
    const status = how === 'told' && this.ends === 'statement' ? this.error.returnStatus : undefined;
    for (const sink of this.#traits.left ?? []) sink.leave(status, true);
    return this.#traits.left !== undefined;
  }

  /** The same failure after those procedures have been ended. */
  outOfProcedures(): Failure {
    const { left, ...traits } = this.#traits;
    return left === undefined ? this : new Failure(this.error, traits);
  }

  /** The same failure with its position and what it ends, unless an inner statement has determined that. */
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

/**
 * A value that does not fit a parameter (8114) ends only the EXECUTE; a table that cannot be created ends the batch.
 */
function extentIn({ kind }: Statement, error: SqlError): Extent {
  if (error.number === 8114 && kind === 'execute') return 'statement';
  const ends = extentOf(error);
  return kind === 'createTable' && error.number !== notAllowed && ends === 'statement' ? 'transaction' : ends;
}

/** The result of a scope; undefined if an error ended it that the client has been told. */
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
