import { setTimeout as delay } from 'node:timers/promises';
import { SqlError } from '../base/messages/sql-error.ts';
import { ClientError } from './client-error.ts';

/** A request that is about to be retried. */
export interface Retry {
  /** The number of attempts so far. */
  readonly attempts: number;
  readonly error: unknown;
  /** Why a retry is safe. */
  readonly reason: string;
}

/** How often and when to retry what is safe to retry. */
export interface RetryOptions {
  /** Attempts in all, the first included; 4 by default, 1 for no retries. */
  readonly attempts?: number;
  /** Milliseconds before the second attempt, doubled before each further one, reduced at random by up to a half. */
  readonly firstDelay?: number;
  /**
   * Milliseconds from the first attempt in which an unavailable server is retried, 30 seconds by default; after that
   * the error is thrown. Conflicts are retried as often as `attempts` says.
   */
  readonly longest?: number;
  /** Called before every retry. */
  onRetry?(retry: Retry): void;
  /** A random number between 0 and 1. */
  random?(): number;
}

/** What is known about the failed request. */
interface Tried {
  /** Why it may run again although it was sent and its outcome is unknown; undefined if it may not. */
  readonly harmless: string | undefined;
}

/** Conflicts with other requests. */
const conflicts: ReadonlyMap<number, string> = new Map([
  [1205, 'the server chose it as a deadlock victim and rolled it back'],
  [3960, 'others had changed rows of its snapshot, and the server rolled it back'],
]);
const undone: ReadonlyMap<number, string> = new Map([
  ...conflicts,
  [40613, 'the database was not available, and it had no effect'],
]);
/** Error codes of the operating system for a server that is not running, or not yet. */
const notThere = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN']);

/** Why a retry is safe; undefined if it might not be: above all for a write with an unknown outcome. */
function reasonToRetry(error: unknown, { harmless }: Tried): string | undefined {
  if (error instanceof SqlError) return undone.get(error.number);
  if (!(error instanceof ClientError)) return undefined;
  if (error.code === 'connect') return isAway(error.cause) ? 'no connection had been made' : undefined;
  if (error.code !== 'lost') return undefined;
  if (!error.sent) return 'the connection was lost before anything was sent';
  return harmless === undefined ? undefined : `the connection was lost, and ${harmless}`;
}

function isAway(cause: unknown): boolean {
  if (cause instanceof ClientError) return cause.code === 'lost';
  return cause instanceof Error && 'code' in cause && notThere.has(String(cause.code));
}

const isConflict = (error: unknown): boolean => error instanceof SqlError && conflicts.has(error.number);

/** Retries until it succeeds, a retry might do harm, or the limits are reached. */
export async function retrying<T>(
  work: () => Promise<T>,
  tried: Tried,
  { attempts = 4, firstDelay = 50, longest = 30_000, onRetry, random = Math.random }: RetryOptions,
  signal?: AbortSignal,
): Promise<T> {
  const began = performance.now();
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isLong = performance.now() - began >= longest && !isConflict(error);
      const reason = signal?.aborted || isLong || attempt >= attempts ? undefined : reasonToRetry(error, tried);
      if (reason === undefined) throw error;
      onRetry?.({ attempts: attempt, error, reason });
      await delay(firstDelay * 2 ** (attempt - 1) * (1 - random() / 2), undefined, signal ? { signal } : {});
    }
  }
}
