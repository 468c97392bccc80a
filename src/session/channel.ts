/** A whole message of the client: its packet type, its first packet's status bits and its bytes. */
export interface Message {
  readonly type: number;
  readonly status: number;
  readonly payload: Buffer;
}

/** The two ways of one connection as a session sees them: whole messages in, bytes out. */
export interface Channel {
  /** Where the client is, for logs and limits. */
  readonly address: string;
  readonly loopback: boolean;
  /** True once bytes travel inside TLS. */
  readonly encrypted: boolean;
  /** True when the client opened with TLS, as TDS 8 does. */
  readonly strict: boolean;
  /** The next whole message, or undefined when the client is gone. */
  receive(): Promise<Message | undefined>;
  /** Called at once when an attention arrives, also while a request runs; the attention follows as a message. */
  onAttention: (() => void) | undefined;
  /** Aborted when the connection ends, for whatever reason. */
  readonly closed: AbortSignal;
  /** Sends bytes; false means that the client reads slowly and the sender should wait for `drained`. */
  write(bytes: Uint8Array): boolean;
  drained(): Promise<void>;
  /** From now on the client's bytes are a TLS handshake inside PRELOGIN packets, then TLS. */
  startTls(): void;
  /** Sends what is left and ends the connection. */
  end(): Promise<void>;
}
