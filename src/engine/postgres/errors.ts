import { SqlError, sqlError } from '../../base/messages/sql-error.ts';
import { checkViolated, duplicateKey, foreignKeyViolated, nullRefused } from '../constraints.ts';
import { EngineFault, messageOf } from '../fault.ts';

/** PostgreSQL could not serialize the transaction with the others; it may be retried. */
export class Conflict extends EngineFault {}

/** A statement failed because an earlier one had: in the same transaction, or sent together with it. */
export class TransactionGone extends EngineFault {}

/** A server answers, but is not of the kind that the URL requires. */
export class WrongServer extends EngineFault {}

/**
 * The server cannot be reached, and the call had no effect: it may be retried. Clients see 40613, SQL Server's error
 * for a database that is moving, which drivers retry.
 */
export class Unreachable extends SqlError {
  constructor(cause: unknown) {
    super(
      40613,
      `The database is not currently available: PostgreSQL cannot be reached (${messageOf(cause) || 'no answer'}). Nothing of the call was kept; please retry it later.`,
      { severity: 17, cause },
    );
  }
}

/** There is no server to connect to: the call has not even begun. */
export class NoServer extends Unreachable {}

/** The connection was lost during a commit, and its outcome is unknown. */
export class InDoubt extends SqlError {
  constructor(cause: unknown) {
    super(
      40197,
      'The service has encountered an error processing your request: the connection to PostgreSQL was lost during a commit, and whether the changes of the call were kept is unknown.',
      { severity: 17, cause },
    );
  }
}

/** The fields of a PostgreSQL error that are used here. */
interface ServerError extends Error {
  readonly code: string;
  readonly table?: string;
  readonly column?: string;
  readonly constraint?: string;
  readonly detail?: string;
}

/**
 * Classes and codes of a server that is absent, shuts down or accepts no more connections; that ended a transaction
 * whose node was silent for too long (25P03, 25P04); or that became a standby (25006).
 */
const lost = /^(?:08...|57P0[1-5]|25P0[34]|25006|53300|E[A-Z]+)$/;

const noRoom = '53100';

/** What is wrong with the disk or the files of a server, by SQLSTATE: no space, an I/O error, damaged pages. */
const disk: Readonly<Record<string, (database: string, message: string) => SqlError>> = {
  [noRoom]: (database) => sqlError(9002, database, 'DISK_FULL'),
  '58030': (database, message) => sqlError(823, database, message),
  XX001: (database, message) => sqlError(824, database, message),
  XX002: (database, message) => sqlError(824, database, message),
};

/**
 * Translates a driver error into one of Granary's; `database` is the name of the PostgreSQL database, for errors of its
 * files.
 */
export function translated(error: unknown, statement: string, database = 'PostgreSQL'): Error {
  if (error instanceof WrongServer) return new Unreachable(error);
  if (error instanceof SqlError || error instanceof EngineFault) return error;
  if (!isServerError(error)) return isLoss(error) ? new Unreachable(error) : fault(error, statement);
  const table = error.table ?? '';
  const constraint = error.constraint ?? '';
  switch (error.code) {
    case '23505':
      return duplicateKey({ table, ...keyOf(error, table) }, error);
    case '23503':
      return foreignKeyViolated({ statement, table, constraint }, error);
    case '23514':
      return checkViolated({ statement, table, constraint }, error);
    case '23502':
      return nullRefused({ statement, table, column: error.column ?? '' }, error);
    case '55P03':
      return sqlError(1222);
    case '40001':
    case '40P01':
      return new Conflict(error.message, { cause: error, statement });
    case '57014':
      // If nobody cancelled it, it exceeded the server's timeout.
      return new Unreachable(error);
    case '25P02':
    // The previous statement that should have prepared it failed.
    case '26000':
      return new TransactionGone(error.message, { cause: error, statement });
    default:
      if (lost.test(error.code)) return new Unreachable(error);
      return disk[error.code]?.(database, error.message) ?? fault(error, statement);
  }
}

/** Whether a lock was not granted in time. */
export const isLockTimeout = (error: unknown): boolean => error instanceof SqlError && error.number === 1222;

/** Whether the server's disk is full. */
export const isLackOfRoom = (error: unknown): error is ServerError => isServerError(error) && error.code === noRoom;

/** Whether the connection must not be used again. */
export function isLoss(error: unknown): boolean {
  if (isServerError(error)) return lost.test(error.code);
  return error instanceof Error && /connection|socket|timeout|not queryable/i.test(error.message);
}

/** Whether PostgreSQL or TLS refused the connection: the password, the role, the database, the certificate. */
export const isRefusal = (error: Error): boolean => error instanceof EngineFault && isServerError(error.cause);

function fault(error: unknown, statement: string): EngineFault {
  return new EngineFault(`PostgreSQL could not run a statement: ${messageOf(error)}`, { cause: error, statement });
}

function isServerError(error: unknown): error is ServerError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

/** `Key (job_id, item_id)=(1, 2) already exists.` */
function keyOf(
  error: ServerError,
  table: string,
): { primary: boolean; columns: string[]; values?: string; constraint?: string } {
  const match = /^Key \((.*?)\)=\((.*)\) already exists/s.exec(error.detail ?? '');
  const primary = error.constraint === `${table}_pkey`;
  return {
    primary,
    columns: match?.[1]?.split(', ') ?? [],
    ...(match?.[2] === undefined ? {} : { values: match[2] }),
    ...(primary || error.constraint === undefined ? {} : { constraint: error.constraint }),
  };
}
