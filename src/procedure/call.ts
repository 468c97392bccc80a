import type { Log } from '../base/log.ts';
import type { Db } from '../engine/db.ts';
import type { ServerView } from './server-view.ts';

/** What a handler knows of the call it answers, besides its input. */
export interface Call {
  /** The database, inside the call's one transaction; handlers never begin or commit. */
  readonly db: Db;
  /** The moment of the call, in UTC, rounded as a datetime is; the same for everything the call does. */
  readonly now: Date;
  /** The name of the database that the call runs in. */
  readonly database: string;
  /** The kind of that database. */
  readonly kind: string;
  /** The session that calls, as @@SPID tells it. */
  readonly spid: number;
  /** The name of the login that calls. */
  readonly login: string;
  /** Aborted when the client cancels or vanishes. */
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly server: ServerView;
}
