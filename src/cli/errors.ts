import { isFullDisk } from '../engine/sqlite/errors.ts';

/** A command was written wrongly: the message is for the person who typed it, the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * A command could not do what it was asked: a clear message without a stack trace, the exit code is 1 unless said
 * otherwise.
 */
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

/** The code that Node and PostgreSQL put on their errors (`EACCES`, `28P01`), or undefined. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : undefined;
}

const noRoom: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Whether a disk, or a quota, had no room, as Node or SQLite says it, or what wraps that. */
export function isOutOfRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isFull = noRoom.has(codeOf(error) ?? '') || isFullDisk(error);
  return isFull || isOutOfRoom(error.cause);
}

/**
 * Awaits what reads a data folder, which takes some room there all the same: SQLite keeps an index of each log beside
 * it.
 */
export async function withRoom<T>(what: string, folder: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isOutOfRoom(error)) throw error;
    throw new OperatorError(`${what} needs some room where ${folder} is: make room, then try again.`);
  }
}
