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

/** What a status of HTTP that brought no document means for an item. */
export function statusError(status: number): CrawlError {
  const usual: CrawlErrorKind = status >= 500 ? 'serverError' : 'badRequest';
  return new CrawlError(kinds[status] ?? usual, `The server answered ${status}.`);
}
