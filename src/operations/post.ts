import type { IncomingMessage } from 'node:http';

/** How long an answer may take. */
const patience = 10_000;

/** Sends JSON to an address, and returns the status of the answer; throws if there is none. */
export async function postJson(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<number> {
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
  const length = Buffer.byteLength(body);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = request(
    url,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': length, ...headers },
      signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
    },
    resolve,
  );
  sent.on('error', reject).end(body);
  const answer = await promise;
  answer.on('error', () => {}).resume(); // what it says does not matter, and a connection that breaks now even less
  return answer.statusCode ?? 0;
}
