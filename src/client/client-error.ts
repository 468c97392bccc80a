/** Why a request got no response, if it was not refused by the server (that is a SqlError). */
export type ClientErrorCode =
  /** No connection could be made. */
  | 'connect'
  /** The connection broke. */
  | 'lost'
  /** The timeout has elapsed. */
  | 'timeout'
  /** The server's response violates the protocol or the declaration. */
  | 'protocol'
  /** The client has been closed. */
  | 'closed';

/** A failure of the connection and not of the request; `sent` says whether the server may have executed it. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly code: ClientErrorCode;
  /** False if nothing of the request can have reached the server. */
  readonly sent: boolean;

  constructor(
    code: ClientErrorCode,
    message: string,
    { sent = false, cause }: { sent?: boolean; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.sent = sent;
  }
}

/** A broken connection, with the cause. */
export function lost(sent: boolean, cause?: Error): ClientError {
  if (cause instanceof ClientError) return cause;
  const why = cause === undefined ? '' : `: ${cause.message}`;
  return new ClientError('lost', `the server closed the connection${why}`, { sent, cause });
}
