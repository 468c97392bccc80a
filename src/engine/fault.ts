/** A fault that no client caused: a broken file, a statement that does not parse, a lost disk. */
export class EngineFault extends Error {
  override readonly name = 'EngineFault';
  /** The text of the statement that failed, without its values; empty when none was running. */
  readonly statement: string;

  constructor(message: string, detail: { readonly cause?: unknown; readonly statement?: string } = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.statement = detail.statement ?? '';
  }
}

/**
 * What a database is kept in is damaged, not there or of a newer release, so that it cannot be opened; others are not
 * touched by that.
 */
export class Damage extends EngineFault {}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The error of a statement after a failed one: the database has already rolled back the transaction. */
export function afterFailure(cause: unknown): EngineFault {
  return new EngineFault(`A statement followed one that had failed: ${messageOf(cause)}`, { cause });
}

/** The error of calls while a database is being closed. */
export const closing = (): EngineFault => new EngineFault('The database is being closed.');

/** What was done in a transaction is gone. */
export const undone = (): EngineFault =>
  new EngineFault('SQLite undid a transaction by itself: the disk is full or fails.');
