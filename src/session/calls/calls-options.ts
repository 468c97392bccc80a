import type { TsqlView } from '../../procedure/relations/tsql-view.ts';
import type { ServerView } from '../../procedure/server-view.ts';
import type { Identity } from '../../tsql/host.ts';
import type { SessionOptions } from '../../tsql/options.ts';
import type { ServerContext } from '../context.ts';
import type { RequestLog } from '../requests/request-log.ts';
import type { SessionDatabases } from '../seen/session-databases.ts';
import type { ClientTransaction } from '../transactions/client-transaction.ts';
import type { Reader } from '../transactions/reader-gates.ts';

/** What the calls of a session run with. */
export interface CallsOptions {
  readonly context: ServerContext;
  readonly identity: Identity;
  /** The server as the login sees it. */
  readonly server: ServerView;
  readonly databases: SessionDatabases;
  readonly transactions: ClientTransaction;
  readonly options: SessionOptions;
  readonly log: RequestLog;
  readonly requests: {
    /** The session as a holder of reader slots. */
    readonly reader: Reader;
    /** Serializes its writes if nothing else does (MARS). */
    readonly inOrder: (<T>(write: () => Promise<T>) => Promise<T>) | undefined;
  };
  /** The W3C trace context that the client has set (sp_set_session_context N'traceparent'); else empty. */
  traceParent(): string;
  /** What the session's T-SQL knows, for the system's own procedures. */
  tsql(signal: AbortSignal): TsqlView;
  /** Rolls the client's transaction back. */
  undo(): Promise<void>;
  /** Begins a transaction of the client: SET IMPLICIT_TRANSACTIONS. */
  begin(): Promise<void>;
}
