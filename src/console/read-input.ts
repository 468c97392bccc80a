import type { IncomingMessage } from 'node:http';
import type { RouteDeclaration } from './api/declare.ts';
import { type Fields, readFields } from './api/schema.ts';
import { refused } from './refusal.ts';

/** The greatest body: a job's document pasted into a form, and no more. */
const longestBody = 4 * 1024 * 1024;
/** The maximum body of a client that has not logged in. */
const longestOfStranger = 16 * 1024;

const lastEvent = 'lastEventId';

/** What a request brings, read as its route declares it. */
export async function readInput(
  request: IncomingMessage,
  { params, query, body, role }: RouteDeclaration,
  inPath: Readonly<Record<string, string>>,
  room: (bytes: number) => boolean,
): Promise<{ params: unknown; query: unknown; body: unknown }> {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const asked = Object.fromEntries([...searchParams].filter(([name, text]) => text !== '' && name !== lastEvent));
  return {
    params: readFields(params, meant(params, inPath), 'path'),
    query: readFields(query, meant(query, asked), 'query'),
    body:
      body === undefined
        ? void request.resume()
        : body.read(await jsonOf(request, role === 'nobody' ? longestOfStranger : longestBody, room), 'body'),
  };
}

/** The last event that a caller received: browsers send it in a header when they reconnect, as do the pages here. */
export function lastEventId(request: IncomingMessage): string | undefined {
  const said = request.headers['last-event-id'];
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
  return (Array.isArray(said) ? said[0] : said) ?? searchParams.get(lastEvent) ?? undefined;
}

/** What texts of an address mean, by their schemas. */
const meant = (fields: Fields, texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fields[name]?.fromText?.(text) ?? text]));

async function jsonOf(request: IncomingMessage, longest: number, room: (bytes: number) => boolean): Promise<unknown> {
  // A form of another site can send only types that need no asking; this is not one of them.
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
    throw refused(415, 'The body must be application/json.');
  }
  let pieces: Buffer[] = [];
  let length = 0;
  let isRoom = true;
  for await (const piece of request) {
    const bytes: Buffer = piece;
    length += bytes.length;
    // A body that is too long is still read to its end: a client that is sending would not see the answer.
    isRoom &&= length > longest || room(bytes.length);
    if (length <= longest && isRoom) pieces.push(bytes);
    else pieces = [];
  }
  if (!isRoom) throw refused(503, 'There is no room for so many large requests at once.');
  if (length > longest) throw refused(413, `A body may have ${longest} bytes.`);
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch {
    throw refused(400, 'The body is not JSON.');
  }
}
