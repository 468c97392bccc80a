import type { Accounts } from '../accounts/accounts.ts';
import type { Administration } from '../accounts/administration.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Threads } from '../base/threads.ts';
import type { Engine } from '../engine/engine.ts';
import type { Kind } from '../procedure/kind.ts';
import type { EncryptionPolicy, SessionLimits } from '../session/context.ts';
import type { KeyPair } from './self-signed.ts';

/** The server's limits: safe by default, each a setting. */
export interface ServerLimits extends SessionLimits {
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  /** The greatest message of a client, in bytes. */
  readonly maxMessage: number;
  /** Milliseconds that a message may take to come whole. */
  readonly messageTimeout: number;
  /** Milliseconds that a client may leave what was sent unread. */
  readonly sendTimeout: number;
  /** Bytes of messages that are not whole, or not answered, of all clients. */
  readonly messageMemory: number;
  /** The same of one address. */
  readonly messageMemoryPerAddress: number;
}

/** What a server is made from. */
export interface TdsServerOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly tls: KeyPair;
  readonly encryption: EncryptionPolicy;
  readonly engine: Engine;
  readonly accounts: Accounts;
  readonly administration: Administration;
  /** Every kind of database, the kind `system` among them. */
  readonly kinds: readonly Kind[];
  readonly limits: ServerLimits;
  /** They outlive the server, whose calls wait for them. */
  readonly threads: Threads;
  readonly serverName: string;
  readonly version: string;
  /** Called when a call has left work for the upkeep of its database. */
  wakeUpkeep(): void;
  readonly clock: Clock;
  readonly log: Log;
}
