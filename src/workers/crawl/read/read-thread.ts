import { serveRequests } from '../../../base/threads/thread-side.ts';
import { CrawlError, type CrawlErrorKind } from '../fetch/crawl-error.ts';
import { readDocument } from './read-document.ts';
import type { Reading, ReadRequest } from './reading.ts';

/** What the thread answers: errors lose their class on the way between threads. */
export type ReadAnswer = { readonly reading: Reading } | { readonly error: CrawlErrorKind; readonly message: string };

serveRequests<ReadRequest, ReadAnswer>(async (request) => {
  try {
    return { answer: { reading: await readDocument(request) } };
  } catch (error) {
    if (!(error instanceof CrawlError)) throw error;
    return { answer: { error: error.kind, message: error.message } };
  }
});
