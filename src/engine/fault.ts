/** A fault that no client caused: a damaged file, a statement that does not parse, a failed disk. */
export class EngineFault extends Error {
  override readonly name = 'EngineFault';
  /** The text of the statement that failed, without its values; empty if no statement was running. */
  readonly statement: string;

  constructor(message: string, detail: { readonly cause?: unknown; readonly statement?: string } = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.statement = detail.statement ?? '';
  }
}

/**
 * The data of a database is damaged, missing or from a newer release, so it cannot be opened. Other databases are not
 * affected.
 */
export class Damage extends EngineFault {}

/** A newer release has opened a database: nothing is wrong with it but that this one cannot. */
export class Newer extends Damage {}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The error of a statement that follows a failed one: the transaction has already been rolled back. */
export function afterFailure(cause: unknown): EngineFault {
  return new EngineFault(`A statement was run after one that had failed: ${messageOf(cause)}`, { cause });
}

/** The error of calls while a database is being closed. */
export const closing = (): EngineFault => new EngineFault('The database is being closed.');

/** The changes of a transaction have been lost. */
export const undone = (): EngineFault =>
  new EngineFault('SQLite rolled back a transaction on its own: the disk is full or failing.');
