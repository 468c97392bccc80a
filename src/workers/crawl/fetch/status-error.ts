import { CrawlError, type CrawlErrorKind } from './crawl-error.ts';

const kinds: Readonly<Record<number, CrawlErrorKind>> = {
  401: 'accessDenied',
  403: 'accessDenied',
  404: 'notFound',
  407: 'accessDenied',
  408: 'timeout',
  410: 'notFound',
  429: 'serverError',
  451: 'accessDenied',
};

/** A longer wait, in milliseconds, is capped: the crawl returns earlier anyway. */
const longestWait = 120_000;

/** The error of an item for an HTTP status without a document, including its Retry-After. */
export function statusError(status: number, retryAfter?: string): CrawlError {
  const usual: CrawlErrorKind = status >= 500 ? 'serverError' : 'badRequest';
  return new CrawlError(kinds[status] ?? usual, `The server answered ${status}.`, { retryAfter: waitOf(retryAfter) });
}

/** Milliseconds of a Retry-After (RFC 9110 10.2.3): seconds or a date; undefined if it is absent or invalid. */
function waitOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const wait = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return wait > 0 ? Math.min(wait, longestWait) : undefined;
}
