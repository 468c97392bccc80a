import type { Log } from '../base/log.ts';
import type { ServerContext, SessionLimits } from '../session/context.ts';
import type { KeyPair } from './self-signed.ts';
import type { SessionTable } from './session-table.ts';
import type { TlsVersion } from './tls-secrets.ts';

/** The server's limits: safe by default, each a setting. */
interface ServerLimits extends SessionLimits {
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
  readonly tlsMinVersion: TlsVersion;
  readonly limits: ServerLimits;
  /** What its sessions share. */
  readonly context: ServerContext;
  /** Where its sessions are listed. */
  readonly sessions: SessionTable;
  readonly log: Log;
}
