/** An exception that the office has thrown. */
export class UnoError extends Error {
  override readonly name = 'UnoError';
  /** The name of its type: com.sun.star.task.ErrorCodeIOException. */
  readonly type: string;
  /** LibreOffice's own code, where the exception has one. */
  readonly code: number | undefined;

  constructor(type: string, message: string, code: number | undefined) {
    super(message);
    this.type = type;
    this.code = code;
  }
}

/** The way to the office is gone: it ended, or it was ended. */
export class OfficeGone extends Error {
  override readonly name = 'OfficeGone';
}
