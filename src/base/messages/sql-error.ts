import { type MessageNumber, messages } from './messages.ts';

/** The details of an error besides its number and text. */
interface SqlErrorDetail {
  readonly severity?: number;
  readonly state?: number;
  readonly procedure?: string;
  readonly line?: number;
  readonly cause?: unknown;
  /** Errors that the client gets before this one: its causes. */
  readonly before?: readonly SqlError[];
}

/** An error as a SQL Server client sees it. */
export class SqlError extends Error {
  override readonly name = 'SqlError';
  readonly number: number;
  readonly severity: number;
  readonly state: number;
  /** The procedure in which it was raised, or an empty string. */
  readonly procedure: string;
  /** The line of the batch or procedure, counted from 1. */
  readonly line: number;
  /** True once its line is known. */
  readonly isPlaced: boolean;
  readonly before: readonly SqlError[];

  constructor(number: number, text: string, detail: SqlErrorDetail = {}) {
    super(text, 'cause' in detail ? { cause: detail.cause } : undefined);
    this.number = number;
    this.severity = detail.severity ?? 16;
    this.state = detail.state ?? 1;
    this.procedure = detail.procedure ?? '';
    this.line = detail.line ?? 1;
    this.isPlaced = detail.line !== undefined;
    this.before = detail.before ?? [];
  }

  /** The return code of a procedure that failed with it and set none of its own: 10 minus the severity. */
  get returnStatus(): number {
    return 10 - this.severity;
  }

  /** The same error with a procedure or line. */
  at(where: { procedure?: string; line?: number }): SqlError {
    return new SqlError(this.number, this.message, {
      severity: this.severity,
      state: this.state,
      procedure: where.procedure ?? this.procedure,
      ...(this.isPlaced || where.line !== undefined ? { line: where.line ?? this.line } : {}),
      cause: this.cause,
      // A cause in a view has a place of its own.
      before: this.before.map((error) => (error.procedure === '' ? error.at(where) : error)),
    });
  }
}

/** The maximum number of characters of a value in a message; SQL Server limits a whole message to 2,047. */
const longestShown = 1000;

/** Replaces each %s of a message, in order. */
export function formatMessage(number: MessageNumber, args: readonly (string | number | bigint)[]): string {
  let next = 0;
  return messages[number].text.replace(/%s/g, () => String(args[next++] ?? '').slice(0, longestShown));
}

/** An error with SQL Server's own number, severity and text. */
export function sqlError(number: MessageNumber, ...args: readonly (string | number | bigint)[]): SqlError {
  const { severity, state } = messages[number];
  return new SqlError(number, formatMessage(number, args), { severity, state });
}

/** The same with its cause, which is not sent to the client. */
export const sqlErrorOf = (
  number: MessageNumber,
  cause: unknown,
  ...args: readonly (string | number | bigint)[]
): SqlError =>
  new SqlError(number, formatMessage(number, args), {
    severity: messages[number].severity,
    state: messages[number].state,
    cause,
  });

/** An error preceded by its causes: `1750: See previous errors.` */
export const sqlErrorAfter = (before: readonly SqlError[], error: SqlError): SqlError =>
  new SqlError(error.number, error.message, { severity: error.severity, state: error.state, before });

/** Violation of a specified rule that has no error number of its own: error 50000. */
export function ruleBroken(text: string, cause?: unknown): SqlError {
  return new SqlError(50000, text, cause === undefined ? {} : { cause });
}
