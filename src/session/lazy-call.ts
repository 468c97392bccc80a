import type { Log } from '../base/log.ts';
import type { Db } from '../engine/db.ts';
import type { Call } from '../procedure/call.ts';

/** What a handler gets beside its input; a log and a view of T-SQL are made only for those who ask, which few do. */
export class LazyCall implements Call {
  readonly db: Db;
  readonly now: Call['now'];
  readonly database: Call['database'];
  readonly kind: Call['kind'];
  readonly spid: Call['spid'];
  readonly login: Call['login'];
  readonly signal: Call['signal'];
  readonly server: Call['server'];
  readonly #lazy: { tsql(): Call['tsql']; log(): Log };

  constructor(
    db: Db,
    now: Call['now'],
    facts: Omit<Call, 'db' | 'now' | 'tsql' | 'log'>,
    lazy: { tsql(): Call['tsql']; log(): Log },
  ) {
    this.db = db;
    this.now = now;
    this.database = facts.database;
    this.kind = facts.kind;
    this.spid = facts.spid;
    this.login = facts.login;
    this.signal = facts.signal;
    this.server = facts.server;
    this.#lazy = lazy;
  }

  get tsql(): Call['tsql'] {
    return this.#lazy.tsql();
  }

  get log(): Log {
    return this.#lazy.log();
  }
}
