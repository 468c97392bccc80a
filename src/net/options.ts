import type { Log } from '../base/log/log.ts';
import type { ServerContext, SessionLimits } from '../session/context.ts';
import type { KeyPair } from './self-signed.ts';
import type { SessionTable } from './session-table.ts';
import type { TlsVersion } from './tls-secrets.ts';

/** The server's limits: safe defaults, each of which is a setting. */
interface ServerLimits extends SessionLimits {
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  /** The maximum size of a client's message in bytes. */
  readonly maxMessage: number;
  /** Milliseconds within which a message must arrive completely. */
  readonly messageTimeout: number;
  /** Milliseconds for which a client may leave output unread. */
  readonly sendTimeout: number;
  /** The maximum number of bytes in incomplete and unanswered messages, over all clients. */
  readonly messageMemory: number;
  /** The same per address. */
  readonly messageMemoryPerAddress: number;
}

/** What a server is created with. */
export interface TdsServerOptions {
  readonly host: string;
  /** 0 chooses a free one. */
  readonly port: number;
  readonly tls: KeyPair;
  readonly tlsMinVersion: TlsVersion;
  readonly limits: ServerLimits;
  /** What its sessions share. */
  readonly context: ServerContext;
  /** Where its sessions are listed. */
  readonly sessions: SessionTable;
  readonly log: Log;
}
