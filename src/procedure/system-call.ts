import type { Call } from './call.ts';
import type { TsqlView } from './relations/tsql-view.ts';
import type { ServerView } from './server-view.ts';

/** What system procedures and catalog views know about their call, including the session and the server. */
export interface SystemCall extends Call {
  /** The calling session: @@SPID. */
  readonly spid: number;
  /**
   * The logins whose roles the caller has: its own, or those of the Windows user and groups that it was authenticated
   * as.
   */
  readonly through: readonly string[];
  readonly server: ServerView;
  readonly tsql: TsqlView;
}
