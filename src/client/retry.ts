import { setTimeout as delay } from 'node:timers/promises';
import { SqlError } from '../base/sql-error.ts';
import { ClientError } from './client-error.ts';

/** A request that is about to be tried again. */
export interface Retry {
  /** How often it has been tried. */
  readonly attempts: number;
  readonly error: unknown;
  /** Why trying again does no harm. */
  readonly reason: string;
}

/** How often and when what is safe to try again is tried. */
export interface RetryOptions {
  /** Attempts in all, the first included; 4 unless given, 1 for none but the first. */
  readonly attempts?: number;
  /** Milliseconds before the second attempt, twice as many before each that follows, less up to a half by chance. */
  readonly firstDelay?: number;
  /**
   * Milliseconds from the first attempt on in which what was away is tried again, 30 seconds unless given: whoever has
   * waited that long is told. What others were in the way of is tried as often as `attempts` says.
   */
  readonly longest?: number;
  /** Hears of every attempt that follows another. */
  onRetry?(retry: Retry): void;
  /** Chance, between 0 and 1. */
  random?(): number;
}

/** What is known of what failed. */
interface Tried {
  /** True when doing it twice is as good as once. */
  readonly harmless: boolean;
}

/** What others were in the way of. */
const conflicts: ReadonlyMap<number, string> = new Map([
  [1205, 'the server chose it as the victim of a deadlock and undid it'],
  [3960, 'others had changed what its snapshot showed, and the server undid it'],
]);
const undone: ReadonlyMap<number, string> = new Map([
  ...conflicts,
  [40613, 'the database underneath was not there, and nothing of it was kept'],
]);
/** What the operating system says when a server is not there, or not there yet. */
const notThere = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN']);

/** Why trying again does no harm; undefined when it might: above all for a write whose outcome nobody knows. */
function reasonToRetry(error: unknown, { harmless }: Tried): string | undefined {
  if (error instanceof SqlError) return undone.get(error.number);
  if (!(error instanceof ClientError)) return undefined;
  if (error.code === 'connect') return isAway(error.cause) ? 'no connection had been made' : undefined;
  if (error.code !== 'lost') return undefined;
  if (!error.sent) return 'the connection was lost before anything was sent';
  return harmless ? 'the connection was lost, and doing it twice is as good as once' : undefined;
}

function isAway(cause: unknown): boolean {
  if (cause instanceof ClientError) return cause.code === 'lost';
  return cause instanceof Error && 'code' in cause && notThere.has(String(cause.code));
}

const isConflict = (error: unknown): boolean => error instanceof SqlError && conflicts.has(error.number);

/** Tries until it succeeds, trying again might do harm, or it was tried often and long enough. */
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
