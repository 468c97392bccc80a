import type { Vouched } from '../base/vouched.ts';
import type { Message } from '../tds/packet/index.ts';

/** One stream of requests: complete messages in, bytes out. A connection, or with MARS one session on it. */
export interface RequestChannel {
  /**
   * The next complete message, or undefined at the end; rejects with a SqlError if the bytes are not a valid message.
   */
  receive(): Promise<Message | undefined>;
  /** Discards messages that are still incomplete: `receive` returns the complete ones, then undefined. */
  stopReceiving(): void;
  /**
   * Called immediately when an attention arrives, even while a request is running; the attention then follows as a
   * message.
   */
  onAttention: (() => void) | undefined;
  /** True when the client has sent more than the message that was received last. */
  readonly sendsAhead: boolean;
  /** True when an attention has arrived but has not been received yet. */
  readonly attentionWaits: boolean;
  /** Aborted when the client is gone, for whatever reason. */
  readonly closed: AbortSignal;
  /**
   * Sends bytes; false means that the client reads slowly and the sender should wait for `drained`. `sent` is called
   * when the bytes are no longer needed.
   */
  write(bytes: Uint8Array, sent?: () => void): boolean;
  drained(): Promise<void>;
  /** If set, waits for the client are run inside this function, which lets other requests run meanwhile. */
  aside?: (<T>(wait: () => Promise<T>) => Promise<T>) | undefined;
  /** Since when the client has not been reading, by `performance.now()`; undefined while it reads. */
  readonly stalledSince: number | undefined;
  /** Closes the connection immediately. */
  destroy(): void;
}

/** One connection as a session sees it. */
export interface Channel extends RequestChannel {
  /** The client's address, for logs and limits. */
  readonly address: string;
  readonly localAddress: string;
  readonly localPort: number;
  readonly loopback: boolean;
  /** The login of an in-process client, which needs no password; undefined for any other client. */
  readonly vouchedFor?: Vouched;
  /** True if an in-process client wants a read-only session, whatever the rights of its login. */
  readonly isReadOnly?: boolean;
  /** True while the connection uses TLS. */
  readonly encrypted: boolean;
  /** True if the client started with TLS, as TDS 8 does. */
  readonly strict: boolean;
  /** True if the login came through TLS, even if what follows it does not. */
  readonly loginEncrypted: boolean;
  /**
   * Starts TLS: the client's next bytes are a handshake inside PRELOGIN packets. SqlError if bytes have already
   * arrived. `forLoginOnly`: TLS ends with the login.
   */
  startTls(forLoginOnly: boolean): void;
  /** The login has arrived: ends login-only TLS in both directions. */
  endLoginTls(): void;
  /**
   * The channel bindings of the login's TLS connection (RFC 5929), in every form that clients use; none without TLS.
   */
  readonly bindings: readonly Buffer[];
  /** The client has logged in: its messages may be as long as the server allows, and it takes the turns of its login. */
  admit(login: string): void;
  /**
   * From now on the client's bytes belong to many sessions ([MC-SMP]); each new one is passed to `accept`. Resolves
   * when no more can be opened; rejects with a SqlError if the client violates the protocol. Absent if there is no
   * MARS.
   */
  multiplex?(accept: (session: RequestChannel) => void): Promise<void>;
  /** Sends what is pending and closes the connection; resolves when it is closed. */
  end(): Promise<void>;
}
