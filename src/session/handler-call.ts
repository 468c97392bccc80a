import type { Log } from '../base/log.ts';
import type { Db } from '../engine/db.ts';
import type { Call } from '../procedure/call.ts';
import type { ServerView } from '../procedure/server-view.ts';
import type { SystemCall } from '../procedure/system-call.ts';
import type { TsqlView } from '../procedure/tsql-view.ts';

/** What is the same for all that a call does. */
export interface CallFacts {
  readonly database: string;
  readonly kind: string;
  readonly spid: number;
  readonly login: string;
  readonly through: readonly string[];
  readonly signal: AbortSignal;
  readonly server: ServerView;
  /** Read when the call runs: it may have waited long for another's transaction, and what that one did is of the past. */
  now(): Date;
  /** Made only for those who ask, which few do. */
  log(): Log;
  tsql(): TsqlView;
}

/** What the handler of a protocol gets beside its input. */
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

  /** When it ran, as far as it asks: one moment for all that it does. */
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
