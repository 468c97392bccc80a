import type { Accounts } from '../accounts/accounts.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Tracer } from '../base/tracer.ts';
import type { Engine } from '../engine/engine.ts';
import type { Arrivals } from '../procedure/arrivals.ts';
import type { CallTap } from '../procedure/call-tap.ts';
import type { Registry } from '../procedure/registry.ts';
import type { ServerView } from '../procedure/server-view.ts';
import type { WindowsAuthentication } from '../sspi/windows-authentication.ts';
import type { TempDb } from '../tsql/storage/temp-db.ts';
import type { CallMeasures } from './call-measures.ts';
import type { ReaderGates } from './reader-gates.ts';
import type { MemoryLimits, ServerMemory } from './server-memory.ts';

/** When a login may come without TLS: on loopback only, never, always; `off` does not offer TLS at all. */
export type EncryptionPolicy = 'auto' | 'required' | 'optional' | 'off';

/** What bounds one session. */
export interface SessionLimits extends MemoryLimits {
  /** Milliseconds from the first byte to a login. */
  readonly loginTimeout: number;
  /** The greatest batch text, in bytes. */
  readonly maxBatch: number;
  /** Bytes of rows that one statement of T-SQL may hold. */
  readonly statementMemory: number;
  /** The packet size that a client gets when it asks for none. */
  readonly packetSize: number;
  /** Milliseconds to wait for another's lock before error 1222, unless the client says otherwise. */
  readonly lockTimeout: number;
  /** Milliseconds that a request may take before the server cancels it; 0 sets no limit. */
  readonly executionTimeout: number;
  /** Milliseconds that a client's transaction may be idle after it has written; 0 sets no limit. */
  readonly idleTransactionTimeout: number;
  /** Milliseconds that a client's transaction, or a read, may take in all; 0 sets no limit. */
  readonly transactionTimeout: number;
  /** Milliseconds that a client's transaction may take while others wait for it; 0 sets no limit. */
  readonly blockingTimeout: number;
  /** Milliseconds that a client may leave an answer unread. */
  readonly sendTimeout: number;
}

/** What all sessions of a server share. */
export interface ServerContext {
  readonly engine: Engine;
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly log: Log;
  readonly encryption: EncryptionPolicy;
  /** How Windows users prove who they are; undefined when they cannot. */
  readonly windows: WindowsAuthentication | undefined;
  readonly limits: SessionLimits;
  readonly view: ServerView;
  readonly tempDb: TempDb;
  readonly readers: ReaderGates;
  readonly memory: ServerMemory;
  readonly measures: CallMeasures;
  /** Calls that wait for what others bring. */
  readonly arrivals: Arrivals;
  /** Told of every call, where traces are wanted. */
  readonly tracer: Tracer | undefined;
  /** Where calls can be looked at as they come. */
  readonly tap: CallTap;
  /** Says that a call has left work for the upkeep of its database. */
  wakeUpkeep(): void;
  /** What a kind of database offers by name. */
  registry(kind: string): Registry | undefined;
}
