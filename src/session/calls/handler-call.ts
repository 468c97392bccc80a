import type { Log } from '../../base/log/log.ts';
import type { Db } from '../../engine/db.ts';
import type { Call } from '../../procedure/call.ts';
import type { TsqlView } from '../../procedure/relations/tsql-view.ts';
import type { ServerView } from '../../procedure/server-view.ts';
import type { SystemCall } from '../../procedure/system-call.ts';

/** What stays the same throughout a call. */
export interface CallFacts {
  readonly database: string;
  readonly kind: string;
  readonly spid: number;
  readonly login: string;
  readonly through: readonly string[];
  readonly signal: AbortSignal;
  readonly server: ServerView;
  /** Read when the call runs: it may have waited for another transaction, whose effects must lie in the past. */
  now(): Date;
  /** Created on demand; few calls need it. */
  log(): Log;
  tsql(): TsqlView;
}

/** What a protocol's handler gets besides its input. */
export class HandlerCall implements Call {
  readonly db: Db;
  readonly database: string;
  readonly kind: string;
  readonly login: string;
  readonly signal: AbortSignal;
  readonly #facts: CallFacts;
  #now: Date | undefined;

  constructor(db: Db, facts: CallFacts) {
    this.db = db;
    this.database = facts.database;
    this.kind = facts.kind;
    this.login = facts.login;
    this.signal = facts.signal;
    this.#facts = facts;
  }

  /** The time of the call, taken at its first use: one moment for everything it does. */
  get now(): Date {
    this.#now ??= this.#facts.now();
    return this.#now;
  }

  get log(): Log {
    return this.#facts.log();
  }
}

/** What the system's own procedures and views get. */
export class SessionCall extends HandlerCall implements SystemCall {
  readonly spid: number;
  readonly through: readonly string[];
  readonly server: ServerView;
  readonly #tsql: () => TsqlView;

  constructor(db: Db, facts: CallFacts) {
    super(db, facts);
    this.spid = facts.spid;
    this.through = facts.through;
    this.server = facts.server;
    this.#tsql = facts.tsql;
  }

  get tsql(): TsqlView {
    return this.#tsql();
  }
}
