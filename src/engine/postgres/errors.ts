import { SqlError, sqlError } from '../../base/sql-error.ts';
import { checkViolated, duplicateKey, foreignKeyViolated, nullRefused } from '../constraints.ts';
import { EngineFault, messageOf } from '../fault.ts';

/** PostgreSQL could not fit the transaction into an order with the others; it may be run again. */
export class Conflict extends EngineFault {}

/** A statement came after another had failed, which takes it along: in the same transaction, or sent with it. */
export class TransactionGone extends EngineFault {}

/** A server answers, but is not of the kind that the URL asks for. */
export class WrongServer extends EngineFault {}

/**
 * The server cannot be reached, and nothing of the call was kept: it may be run again. Clients see 40613, which SQL Server
 * has for a database that is moving and which drivers try again.
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

/** The connection was lost under a commit, and nobody knows whether it was kept. */
export class InDoubt extends SqlError {
  constructor(cause: unknown) {
    super(
      40197,
      'The service has encountered an error processing your request: the connection to PostgreSQL was lost during a commit, and whether the call was kept is not known.',
      { severity: 17, cause },
    );
  }
}

/** What a PostgreSQL error carries that is of use here. */
interface ServerError extends Error {
  readonly code: string;
  readonly table?: string;
  readonly column?: string;
  readonly constraint?: string;
  readonly detail?: string;
}

/**
 * Classes and codes of a server that is not there, goes away or takes no more connections; that has ended a transaction
 * whose node was silent for too long (25P03, 25P04); or that became a standby (25006).
 */
const lost = /^(?:08...|57P0[1-5]|25P0[34]|25006|53300|E[A-Z]+)$/;

/** An error of the driver as the rest of Granary knows it. */
export function translated(error: unknown, statement: string): Error {
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
      // Nobody cancelled it: it took longer than the server lets it.
      return new Unreachable(error);
    case '25P02':
    // It was to be prepared by what came before.
    case '26000':
      return new TransactionGone(error.message, { cause: error, statement });
    default:
      return lost.test(error.code) ? new Unreachable(error) : fault(error, statement);
  }
}

/** Whether a lock did not come free in time. */
export const isLockTimeout = (error: unknown): boolean => error instanceof SqlError && error.number === 1222;

/** Whether the connection must not be used again. */
export function isLoss(error: unknown): boolean {
  if (isServerError(error)) return lost.test(error.code);
  return error instanceof Error && /connection|socket|timeout|not queryable/i.test(error.message);
}

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
