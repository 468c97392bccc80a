import type { Log } from '../base/log/log.ts';
import type { Threads } from '../base/threads/threads.ts';
import type { Db } from '../engine/db.ts';
import type { Awaited } from './arrivals.ts';

/** What a handler knows about its call, besides the input. */
export interface Call {
  /** The database, inside the call's one transaction; handlers never begin or commit. */
  readonly db: Db;
  /** The time of the call in UTC, rounded like a datetime; the same for everything the call does. */
  readonly now: Date;
  /** The name of the database that the call runs in. */
  readonly database: string;
  /** The kind of that database: a procedure may be one of several. */
  readonly kind: string;
  /** The name of the login that calls. */
  readonly login: string;
  /** Aborted when the client cancels or vanishes. */
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** What `prepare` knows about its call: there is no transaction yet, and so no time of the call. */
export interface Preparing extends Omit<Call, 'db' | 'now'> {
  /** For work that would block the event loop, and so every session, for long. */
  readonly threads: Pick<Threads, 'run'>;
  /**
   * Waits, for at most this many milliseconds, until what is awaited is in the database, and returns whether it is.
   * Nothing is held meanwhile; error 574 in a client's transaction, 50102 if too many calls are waiting.
   */
  until(awaited: Awaited, milliseconds: number): Promise<boolean>;
}
