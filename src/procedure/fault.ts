import { randomUUID } from 'node:crypto';
import type { Log } from '../base/log.ts';
import { ruleBroken, SqlError } from '../base/sql-error.ts';

/** Thrown inside a call when its client cancelled it or vanished; the session answers it, nobody else catches it. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** A cancel by the server itself, of which the client is told. */
export class Stopped extends Cancelled {
  readonly error: SqlError;

  constructor(error: SqlError) {
    super();
    this.error = error;
  }
}

/** The request took longer than any may. */
export class OutOfTime extends Stopped {
  constructor(milliseconds: number) {
    super(ruleBroken(`The request was cancelled: it took longer than the execution timeout of ${milliseconds} ms.`));
  }
}

/** The severity of errors of which the operator must hear. */
const failingDisk = 24;

/**
 * What a client is told of anything that was thrown: a SqlError as it is; any other fault is logged with a reference and
 * the client gets that reference, so that no internals leak and an operator finds the line.
 */
export function toSqlError(thrown: unknown, log: Log, procedure = ''): SqlError {
  if (thrown instanceof SqlError) {
    if (thrown.severity >= failingDisk)
      log.error('a file or its disk fails', { number: thrown.number, error: thrown.message });
    return thrown.procedure || !procedure ? thrown : thrown.at({ procedure });
  }
  const reference = randomUUID();
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  log.error('internal fault', { reference, ...(procedure ? { procedure } : {}), ...toldOf(error) });
  return new SqlError(50000, `An internal fault occurred; the server's log has it under reference ${reference}.`, {
    procedure,
    cause: thrown,
  });
}

/** What the log says of a fault. A text that could not be read stands in the error that says so, and may be a client's value. */
function toldOf({ message, stack = '', name }: Error): { readonly error: string; readonly stack: string } {
  if (name !== 'SyntaxError') return { error: message, stack };
  const frames = stack.split('\n').filter((line) => /^ {4}at /.test(line));
  return { error: 'a text could not be read', stack: [name, ...frames].join('\n') };
}
