import { serveRequests } from '../../../src/base/threads/thread-side.ts';
import type { ReadAnswer } from '../../../src/workers/crawl/read/read-thread.ts';
import { nothingRead, type ReadRequest } from '../../../src/workers/crawl/read/reading.ts';

/** A reader for tests of what is around it: documents say how it fails. */
serveRequests<ReadRequest, ReadAnswer>(({ body }) => {
  const text = Buffer.from(body).toString();
  if (text === 'hang') for (;;);
  if (text === 'crash') process.exit(3);
  if (text === 'memory') {
    const hoard: unknown[] = [];
    for (;;) hoard.push(new Array(10_000).fill(text));
  }
  return { answer: { reading: { ...nothingRead, text } } };
});
