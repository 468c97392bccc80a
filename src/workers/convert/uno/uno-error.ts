/** An exception thrown by LibreOffice. */
export class UnoError extends Error {
  override readonly name = 'UnoError';
  /** The name of its type: com.sun.star.task.ErrorCodeIOException. */
  readonly type: string;
  /** LibreOffice's own code, if the exception has one. */
  readonly code: number | undefined;

  constructor(type: string, message: string, code: number | undefined) {
    super(message);
    this.type = type;
    this.code = code;
  }
}

/** The connection to LibreOffice is gone: it exited, or was killed. */
export class OfficeGone extends Error {
  override readonly name = 'OfficeGone';
}
