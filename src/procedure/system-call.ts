import type { Call } from './call.ts';
import type { ServerView } from './server-view.ts';
import type { TsqlView } from './tsql-view.ts';

/** What system procedures and catalog views know about their call, including the session and the server. */
export interface SystemCall extends Call {
  /** The session that calls, as @@SPID tells it. */
  readonly spid: number;
  /**
   * The logins whose roles the caller has: the own one, or those of the Windows user and groups that it came in
   * through.
   */
  readonly through: readonly string[];
  readonly server: ServerView;
  readonly tsql: TsqlView;
}
