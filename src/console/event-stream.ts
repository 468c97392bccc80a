import type { ServerResponse } from 'node:http';
import type { Event } from './answer.ts';

/** Milliseconds of silence after which a line shows the browser, and proxies, that the stream is alive. */
const silence = 15_000;

/** An event as it is sent. */
export interface Frame {
  readonly id: string;
  /** Its data in JSON. */
  readonly text: string;
  /** Its kind; the usual one has none. */
  readonly event?: string;
}

/** Events with their data in JSON, if that was not done before. */
export async function* framed(events: AsyncIterable<Event<unknown>>): AsyncGenerator<Frame> {
  for await (const { id, data, text } of events) yield { id, text: text ?? JSON.stringify(data) };
}

/**
 * Sends server-sent events as they come; a browser that reads slowly makes the source wait, which drops what it must.
 */
export async function sendEvents(
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  events: AsyncIterable<Frame>,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8' });
  response.write('retry: 1000\n\n');
  const heart = setInterval(() => response.write(': alive\n\n'), silence).unref();
  try {
    for await (const { id, text, event } of events) {
      if (signal.aborted) return;
      // A fault is no position to resume from, so it has no identifier.
      const head = event === undefined ? `id: ${id}` : `event: ${event}`;
      if (response.write(`${head}\ndata: ${text}\n\n`)) continue;
      await drained(response, signal);
    }
  } finally {
    clearInterval(heart);
    response.end();
  }
}

/** Resolves when the client has taken what was written, or when there is no more to be sent. */
export function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
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
