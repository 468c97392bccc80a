import { randomUUID } from 'node:crypto';
import type { Log } from '../../base/log/log.ts';
import { ruleBroken, SqlError } from '../../base/messages/sql-error.ts';

/** Thrown inside a call that its client has cancelled or whose client is gone; only the session handles it. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** A cancellation by the server itself, which is reported to the client. */
export class Stopped extends Cancelled {
  readonly error: SqlError;

  constructor(error: SqlError) {
    super();
    this.error = error;
  }
}

/** The request exceeded the execution timeout. */
export class OutOfTime extends Stopped {
  constructor(milliseconds: number) {
    super(ruleBroken(`The request was cancelled: it took longer than the execution timeout of ${milliseconds} ms.`));
  }
}

/** The severity from which on errors are logged for the operator. */
const failingDisk = 24;

/**
 * The error for the client for anything thrown: a SqlError stays the same. Any other fault is logged with a reference,
 * and the client gets only that reference, so that no internals leak and an operator can find the line.
 */
export function toSqlError(thrown: unknown, log: Log, procedure = ''): SqlError {
  if (thrown instanceof SqlError) {
    if (thrown.severity >= failingDisk)
      log.error('a file or its disk failed', { number: thrown.number, error: thrown.message });
    return thrown.procedure || !procedure ? thrown : thrown.at({ procedure });
  }
  const reference = randomUUID();
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  log.error('internal fault', { reference, ...(procedure ? { procedure } : {}), ...toldOf(error) });
  return new SqlError(50000, `An internal error occurred; see the server's log for reference ${reference}.`, {
    procedure,
    cause: thrown,
  });
}

/**
 * The log fields of a fault. The message of a parse error may quote a client's value, so only its position is logged.
 */
function toldOf({ message, stack = '', name }: Error): { readonly error: string; readonly stack: string } {
  if (name !== 'SyntaxError') return { error: message, stack };
  const frames = stack.split('\n').filter((line) => /^ {4}at /.test(line));
  return { error: 'a text could not be read', stack: [name, ...frames].join('\n') };
}
