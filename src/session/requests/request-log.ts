import { randomUUID } from 'node:crypto';
import type { Log } from '../../base/log/log.ts';
import type { Identity } from '../../tsql/host.ts';

/** Adds to log lines the request that they belong to: session, login, request identifier, procedure. */
export class RequestLog {
  readonly #log: Log;
  readonly #identity: Identity;
  #id = '';
  /** The running declared procedure, or the one that caused a fault; otherwise empty. */
  procedure = '';
  /** The client's activity identifier (MS-TDS 2.2.5.3.3); otherwise empty. */
  activity = '';

  constructor(log: Log, identity: Identity) {
    this.#log = log;
    this.#identity = identity;
  }

  /** True when debug lines are kept. */
  get verbose(): boolean {
    return this.#log.verbose;
  }

  /** The next request begins. */
  begin(): void {
    this.#id = '';
    this.procedure = '';
    this.activity = '';
  }

  /** Which request the lines are of: those of several requests may alternate. */
  get mark(): { readonly id: string; readonly procedure: string; readonly activity: string } {
    return { id: this.#id, procedure: this.procedure, activity: this.activity };
  }

  set mark({ id, procedure, activity }) {
    this.#id = id;
    this.activity = activity;
    this.procedure = procedure;
  }

  /** A log for this request; its identifier is made when the first line needs it. */
  lines(): Log {
    const { spid, login } = this.#identity;
    this.#id ||= randomUUID();
    return this.#log.with({
      session: spid,
      login,
      request: this.#id,
      activity: this.activity || undefined,
      procedure: this.procedure || undefined,
    });
  }
}
