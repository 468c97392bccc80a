/** How an item can fail: its HRESULT, and whether an immediate retry may succeed. */
interface Kind {
  readonly code: number;
  readonly mayPass?: true;
}

/**
 * The codes of 2.2.1.11, those of SharePoint's protocol handlers (0x800412xx), and of Windows (0x8007xxxx) for what
 * neither has a code for.
 */
const kinds = {
  excludedByRule: { code: 0x80040d07 },
  excludedByHops: { code: 0x80040d08 },
  accessDenied: { code: 0x80041205 },
  notFound: { code: 0x80041201 },
  communication: { code: 0x80041200, mayPass: true },
  hostNotFound: { code: 0x80041204 },
  serverError: { code: 0x80041206, mayPass: true },
  badRequest: { code: 0x80041202 },
  /** ERROR_WINHTTP_TIMEOUT. */
  timeout: { code: 0x80072ee2, mayPass: true },
  /** ERROR_WINHTTP_REDIRECT_FAILED. */
  tooManyRedirects: { code: 0x80072f7c },
  /** ERROR_FILE_TOO_LARGE. */
  tooLarge: { code: 0x800700df },
  /** ERROR_FILENAME_EXCED_RANGE: a warning, for a document whose link is too long to be followed. */
  linkTooLong: { code: 0x800700ce },
  /** ERROR_ACCESS_DISABLED_BY_POLICY. */
  privateAddress: { code: 0x800704ec },
  /** ERROR_INVALID_DATA. */
  unreadable: { code: 0x8007000d },
  /** WAIT_TIMEOUT. */
  readerHung: { code: 0x80070102 },
  /** E_UNEXPECTED. */
  readerCrashed: { code: 0x8000ffff },
} as const satisfies Record<string, Kind>;

export type CrawlErrorKind = keyof typeof kinds;

/** Why an item could not be crawled. */
export class CrawlError extends Error {
  override readonly name = 'CrawlError';
  readonly kind: CrawlErrorKind;
  /** Milliseconds for which the server has asked for no requests; undefined if it has not. */
  readonly retryAfter: number | undefined;

  constructor(kind: CrawlErrorKind, message: string, options: ErrorOptions & { retryAfter?: number | undefined } = {}) {
    super(message, options);
    this.kind = kind;
    this.retryAfter = options.retryAfter;
  }

  /** The HRESULT as an int, as it is sent. */
  get hresult(): number {
    return kinds[this.kind].code | 0;
  }

  /** Whether an immediate retry may succeed. */
  get mayPass(): boolean {
    return 'mayPass' in kinds[this.kind];
  }
}

/** The HRESULT of an item that a rule excludes. */
export const excludedByRule = kinds.excludedByRule.code | 0;

/** The HRESULT of a document with a link that is too long to be crawled. */
export const linkTooLong = kinds.linkTooLong.code | 0;

/** HRESULTs that are not failures: success, an unmodified item, one that asks not to be indexed. */
export const success = 0;
export const notModified = 0x41203;
export const noIndex = 0x40d90;

const causes: ReadonlyMap<number, string> = new Map(
  Object.entries(kinds).map(([kind, { code }]) => [
    code | 0,
    kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
  ]),
);

/** The cause of an error in words, by its HRESULT: `not found`. */
export const causeOf = (hresult: number): string => causes.get(hresult) ?? `0x${(hresult >>> 0).toString(16)}`;
