import { systemCode } from '../base/system-code.ts';
import { isFullDisk } from '../engine/sqlite/errors.ts';

/** A command was written wrongly: the message is for the person who typed it, the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A command failed: a clear message without a stack trace; the exit code is 1 by default. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  readonly exitCode: number;

  constructor(message: string, options: ErrorOptions & { readonly exitCode?: number } = {}) {
    super(message, options);
    this.exitCode = options.exitCode ?? 1;
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

/** The code of errors of Node and PostgreSQL (`EACCES`, `28P01`), if any. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const code = systemCode(error);
  if (code !== undefined) return code;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : undefined;
}

const noRoom: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Whether a disk or a quota was full, according to an error of Node or SQLite, or its cause. */
export function isOutOfRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isFull = noRoom.has(codeOf(error) ?? '') || isFullDisk(error);
  return isFull || isOutOfRoom(error.cause);
}

/**
 * Awaits a read of a data folder, which needs some room there as well: SQLite creates an index of each log next to it.
 */
export async function withRoom<T>(what: string, folder: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isOutOfRoom(error)) throw error;
    throw new OperatorError(`${what} needs some room where ${folder} is: make room, then try again.`);
  }
}
