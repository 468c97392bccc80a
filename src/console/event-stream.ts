import type { ServerResponse } from 'node:http';
import type { Event } from './answer.ts';

/** Milliseconds of silence after which a line tells the browser, and what is between, that the stream lives. */
const silence = 15_000;

/** Sends server-sent events as they come; a browser that reads slowly makes the source wait, which drops what it must. */
export async function sendEvents(
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  events: AsyncIterable<Event<unknown>>,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8' });
  response.write('retry: 1000\n\n');
  const heart = setInterval(() => response.write(': alive\n\n'), silence).unref();
  try {
    for await (const { id, data } of events) {
      if (signal.aborted) return;
      if (response.write(`id: ${id}\ndata: ${JSON.stringify(data)}\n\n`)) continue;
      await drained(response, signal);
    }
  } finally {
    clearInterval(heart);
    response.end();
  }
}

function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    response.once('drain', done);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}
