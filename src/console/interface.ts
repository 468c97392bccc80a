import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answering, Asked, Door, Download, Event } from './answer.ts';
import type { WatchedServer } from './console-server.ts';
import { drained, framed, sendEvents } from './event-stream.ts';
import { isOwnOrigin, keptAs, safety, setVisitCookie } from './headers.ts';
import { type Caller, identify } from './identify.ts';
import { Live } from './live/live.ts';
import { Streams } from './live/streams.ts';
import { Negotiations } from './negotiations.ts';
import { openApi } from './openapi.ts';
import { lastEventId, readInput } from './read-input.ts';
import { faultOf, notAllowed, refused } from './refusal.ts';
import { Room } from './room.ts';
import { matching } from './route-table.ts';
import { clientOf, type Visits } from './visits.ts';

/** Bytes of bodies of requests that are being read or answered. */
const bodies = { ofLogin: 16 * 1024 * 1024, all: 64 * 1024 * 1024 };

const noStore = { ...safety, 'cache-control': 'no-store' };

/** What one request is about, once it is known. */
interface Request {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly caller: Caller | undefined;
  readonly parts: { readonly params: unknown; readonly query: unknown; readonly body: unknown };
  readonly signal: AbortSignal;
}

/** The interface in JSON: finds the route, who asks and what with, and sends what its handler gives. */
export class Interface {
  readonly #server: WatchedServer;
  readonly #visits: Visits;
  readonly #routes: readonly Answering[];
  readonly #stopping: AbortSignal;
  readonly #live = new Live((thrown) => this.#told(thrown, 'what is followed'));
  readonly #streams: Streams;
  readonly #negotiations: Negotiations;
  readonly #bodies = new Room(bodies);
  #openApi: string | undefined;

  constructor(server: WatchedServer, visits: Visits, routes: readonly Answering[], stopping: AbortSignal) {
    this.#server = server;
    this.#visits = visits;
    this.#routes = routes;
    this.#stopping = stopping;
    this.#streams = new Streams(server, visits);
    this.#negotiations = new Negotiations(server);
  }

  /** Answers a request, even if it fails. */
  async handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    try {
      await this.#answer(request, response, path);
    } catch (thrown) {
      // If the client is gone, that is the cause, and no fault.
      if (response.destroyed) return;
      const { status, error } = this.#told(thrown, path);
      for (const [name, value] of Object.entries(faultOf(thrown)?.headers ?? {})) response.setHeader(name, value);
      if (response.headersSent) response.destroy();
      else {
        request.resume();
        sendJson(response, status, JSON.stringify({ error }));
      }
    }
  }

  /** The answer for an exception; the log has more about unexpected ones. */
  #told(thrown: unknown, path: string) {
    const known = faultOf(thrown);
    if (known !== undefined) return { status: known.status, error: known.fault };
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    this.#server.log.error('a route of the console failed', { path, error: reason });
    return { status: 500, error: { message: 'The log has the details.' } };
  }

  async #answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    if (path === '/api/v1/openapi.json') {
      request.resume();
      if (request.method !== 'GET' && request.method !== 'HEAD') throw notAllowed(['GET']);
      // Written once: the requester has not logged in.
      this.#openApi ??= JSON.stringify(
        openApi(
          this.#routes.map(({ route }) => route),
          this.#server.release,
        ),
      );
      return sendJson(response, 200, this.#openApi);
    }
    const { answering, params } = matching(this.#routes, request.method === 'HEAD' ? 'GET' : request.method, path);
    const { route } = answering;
    const known = { server: this.#server, visits: this.#visits, negotiations: this.#negotiations };
    await using caller = route.role === 'nobody' ? undefined : await identify(request, response, route, known);
    if (caller === undefined && !isOwnOrigin(request)) throw refused(403, 'The request comes from another origin.');
    const hungUp = new AbortController();
    response.once('close', () => hungUp.abort());
    if (response.destroyed) return;
    const parts = await readInput(
      request,
      route,
      params,
      this.#bodies.forRequest(caller?.who.login ?? '', hungUp.signal),
    );
    const signal = AbortSignal.any([hungUp.signal, this.#stopping]);
    await this.#give(answering, { request, response, caller, parts, signal });
  }

  /** Sends what a handler gives: a file, events, or JSON, once or whenever it changes. */
  async #give(answering: Answering, { request, response, caller, parts, signal }: Request): Promise<void> {
    const { route } = answering;
    const look = (until: AbortSignal) => answering.handle(this.#asked(request, response, caller, until), parts);
    // A handler returns what its declaration says: `answer` lets nothing else compile.
    if (route.download) return sendFile(response, (await look(signal)) as Download, signal);
    // A user who logged in through a group has the rights of its members, and separate sessions.
    const key = JSON.stringify([route.path, caller?.who.login, caller?.who.through, caller?.role, parts]);
    if (route.events || (route.live !== undefined && wantsEvents(request))) {
      using stream = this.#streams.open(caller, signal);
      const events = route.events
        ? framed(look(stream.signal) as AsyncIterable<Event<unknown>>)
        : this.#live.follow(key, route.live ?? 0, async () => look(stream.signal), lastEventId(request), stream.signal);
      return await sendEvents(response, noStore, events, stream.signal);
    }
    const beside = route.live === undefined ? undefined : this.#live.beside(key);
    const text = JSON.stringify(await look(signal));
    beside?.(text);
    sendJson(response, 200, text);
  }

  #asked(request: IncomingMessage, response: ServerResponse, caller: Caller | undefined, signal: AbortSignal): Asked {
    const { login, through } = caller?.who ?? { login: '', through: [] };
    const known = () => {
      if (caller === undefined) throw refused(401, 'Log in first.');
      return caller;
    };
    return {
      login,
      through,
      role: caller?.role ?? 'reader',
      client: (database) => known().clients.of(database),
      apart: (database, writes) => clientOf(this.#server, known().who, !writes).database(database),
      signal,
      log: this.#server.log.with({ login, console: true }),
      server: this.#server,
      door: this.#door(request, response, caller),
      lastEventId: lastEventId(request),
    };
  }

  #door(request: IncomingMessage, response: ServerResponse, caller: Caller | undefined): Door {
    return {
      address: request.socket.remoteAddress ?? '',
      visit: caller?.visit,
      negotiate: () => this.#negotiations.prove(request, response),
      enter: async (who) => {
        const { key, visit } = await this.#visits.begin(who);
        response.setHeader('set-cookie', setVisitCookie(request, key));
        return visit;
      },
      leave: async () => {
        if (caller?.key !== undefined) await this.#visits.end(caller.key);
        response.setHeader('set-cookie', setVisitCookie(request, undefined));
      },
      expel: (login) => this.#visits.endOf(login),
      ends: (visit) => new Date(this.#visits.ends(visit)),
    };
  }
}

const wantsEvents = ({ headers: { accept = '' } }: IncomingMessage): boolean => /\btext\/event-stream\b/.test(accept);

function sendJson(response: ServerResponse, status: number, text: string): void {
  const body = `${text}\n`;
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, { ...noStore, ...headers });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** A file is always sent as a download, never displayed: its contents are untrusted. */
async function sendFile(response: ServerResponse, { name, type, body }: Download, signal: AbortSignal): Promise<void> {
  response.writeHead(200, { ...noStore, 'content-type': type, 'content-disposition': keptAs(name) });
  const pieces = typeof body === 'string' || body instanceof Uint8Array ? [body] : body;
  for await (const piece of pieces) {
    if (!response.write(piece)) await drained(response, signal);
    // A client that disconnects midway releases the source that it is read from.
    if (signal.aborted) break;
  }
  response.end();
}
