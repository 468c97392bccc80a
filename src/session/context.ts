import type { Accounts } from '../accounts/accounts.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log/log.ts';
import type { Tracer } from '../base/log/tracer.ts';
import type { Engine } from '../engine/engine.ts';
import type { Arrivals } from '../procedure/arrivals.ts';
import type { CallTap } from '../procedure/call-tap.ts';
import type { Registry } from '../procedure/registry.ts';
import type { ServerView } from '../procedure/server-view.ts';
import type { WindowsAuthentication } from '../sspi/windows-authentication.ts';
import type { TempDb } from '../tsql/storage/temp-db.ts';
import type { CallMeasures } from './calls/call-measures.ts';
import type { MemoryLimits, ServerMemory } from './seen/server-memory.ts';
import type { ReaderGates } from './transactions/reader-gates.ts';

/** When a login without TLS is allowed: on loopback only, never, always; `off` does not offer TLS at all. */
export type EncryptionPolicy = 'auto' | 'required' | 'optional' | 'off';

/** The limits of one session. */
export interface SessionLimits extends MemoryLimits {
  /** Milliseconds from the first byte to a login. */
  readonly loginTimeout: number;
  /** The maximum size of a batch text, in bytes. */
  readonly maxBatch: number;
  /** Bytes of rows that one T-SQL statement may buffer. */
  readonly statementMemory: number;
  /** The packet size for clients that do not request one. */
  readonly packetSize: number;
  /** Milliseconds to wait for another's lock before error 1222, unless the client says otherwise. */
  readonly lockTimeout: number;
  /** Milliseconds that a request may take before the server cancels it; 0 means no limit. */
  readonly executionTimeout: number;
  /** Milliseconds that a client's transaction may be idle after it has written; 0 means no limit. */
  readonly idleTransactionTimeout: number;
  /** Milliseconds that a client's transaction, or a read, may take in total; 0 means no limit. */
  readonly transactionTimeout: number;
  /** Milliseconds that a client's transaction may take while others wait for it; 0 means no limit. */
  readonly blockingTimeout: number;
  /** Milliseconds that a client may leave a response unread. */
  readonly sendTimeout: number;
}

/** What all sessions of a server share. */
export interface ServerContext {
  readonly engine: Engine;
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly log: Log;
  readonly encryption: EncryptionPolicy;
  /** Windows authentication; undefined if not configured. */
  readonly windows: WindowsAuthentication | undefined;
  readonly limits: SessionLimits;
  readonly view: ServerView;
  readonly tempDb: TempDb;
  readonly readers: ReaderGates;
  readonly memory: ServerMemory;
  readonly measures: CallMeasures;
  /** Calls that wait for work to arrive. */
  readonly arrivals: Arrivals;
  /** Receives every call if tracing is on. */
  readonly tracer: Tracer | undefined;
  /** Where live calls can be watched. */
  readonly tap: CallTap;
  /** Notifies upkeep that a call has left work in its database. */
  wakeUpkeep(): void;
  /** The procedures and relations of a kind of database. */
  registry(kind: string): Registry | undefined;
}
