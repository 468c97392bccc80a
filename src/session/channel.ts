import type { Vouched } from '../base/vouched.ts';
import type { Message } from '../tds/packet/index.ts';

/** The two ways of one stream of requests: whole messages in, bytes out. A connection, or with MARS one session on it. */
export interface RequestChannel {
  /** The next whole message, undefined when no more come; rejects with a SqlError when the bytes are no message. */
  receive(): Promise<Message | undefined>;
  /** Messages that have not come whole by now are no longer wanted: `receive` hands out the rest, then undefined. */
  stopReceiving(): void;
  /** Called at once when an attention arrives, also while a request runs; the attention follows as a message. */
  onAttention: (() => void) | undefined;
  /** True when the client has sent more than the message that was received last. */
  readonly sendsAhead: boolean;
  /** True when an attention has arrived that nobody has received yet. */
  readonly attentionWaits: boolean;
  /** Aborted when the client is gone, for whatever reason. */
  readonly closed: AbortSignal;
  /** Sends bytes; false means that the client reads slowly and the sender should wait for `drained`. `sent` comes when they are no longer needed. */
  write(bytes: Uint8Array, sent?: () => void): boolean;
  drained(): Promise<void>;
  /** Where set, what waits for the client waits inside of this, which lets others run meanwhile. */
  aside?: (<T>(wait: () => Promise<T>) => Promise<T>) | undefined;
  /** Since when the client has not read what was sent, by `performance.now()`; undefined while it reads. */
  readonly stalledSince: number | undefined;
  /** Ends the connection at once. */
  destroy(): void;
}

/** One connection as a session sees it. */
export interface Channel extends RequestChannel {
  /** Where the client is, for logs and limits. */
  readonly address: string;
  readonly localAddress: string;
  readonly localPort: number;
  readonly loopback: boolean;
  /** Who a client in the same process is, which is let in without a password; undefined for every other client. */
  readonly vouchedFor?: Vouched;
  /** True where a client in the same process wants to change nothing, whatever the login may. */
  readonly isReadOnly?: boolean;
  /** True once bytes travel inside TLS. */
  readonly encrypted: boolean;
  /** True when the client opened with TLS, as TDS 8 does. */
  readonly strict: boolean;
  /** True when the login came inside TLS, though what follows it may not. */
  readonly loginEncrypted: boolean;
  /**
   * From now on the client's bytes are a TLS handshake inside PRELOGIN packets, then TLS; SqlError when some came before.
   * `forLoginOnly`: TLS is to end with the login.
   */
  startTls(forLoginOnly: boolean): void;
  /** The login has come: TLS that was for it alone is over, in both directions. */
  endLoginTls(): void;
  /** What names the TLS channel that the login came through (RFC 5929), in each form that clients use; none without TLS. */
  readonly bindings: readonly Buffer[];
  /** The client has logged in: messages may be as long as the server allows. */
  allowLongMessages(): void;
  /**
   * From now on the client's bytes are those of many sessions ([MC-SMP]), which `accept` gets to know. Resolves when no
   * more can be opened; rejects with a SqlError when the client breaks the protocol. Absent where there is no MARS.
   */
  multiplex?(accept: (session: RequestChannel) => void): Promise<void>;
  /** Sends what is left and ends the connection; resolves when it is closed. */
  end(): Promise<void>;
}
