/** What kept a request from being answered, where it was not the server that refused it (that is a SqlError). */
export type ClientErrorCode =
  /** No connection could be made. */
  | 'connect'
  /** The connection broke. */
  | 'lost'
  /** The time that was given has passed. */
  | 'timeout'
  /** The server's bytes or answers are not what the protocol, or the declaration, has. */
  | 'protocol'
  /** The client has been closed. */
  | 'closed';

/** A failure of the connection and not of the request; `sent` says whether the server may have done what was asked. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly code: ClientErrorCode;
  /** False when nothing of the request can have come to the server. */
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

/** A connection that broke, with what broke it. */
export function lost(sent: boolean, cause?: Error): ClientError {
  if (cause instanceof ClientError) return cause;
  const why = cause === undefined ? '' : `: ${cause.message}`;
  return new ClientError('lost', `the server closed the connection${why}`, { sent, cause });
}
