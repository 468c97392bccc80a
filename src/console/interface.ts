import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answering, Asked, Door, Download, Event } from './answer.ts';
import type { RouteDeclaration } from './api/declare.ts';
import type { WatchedServer } from './console-server.ts';
import { sendEvents } from './event-stream.ts';
import { isOwnOrigin, safety, setVisitCookie } from './headers.ts';
import { type Caller, identify } from './identify.ts';
import { openApi } from './openapi.ts';
import { lastEventId, readInput } from './read-input.ts';
import { faultOf, refused } from './refusal.ts';
import { matching } from './route-table.ts';
import type { Visits } from './visits.ts';

const noStore = { ...safety, 'cache-control': 'no-store' };

/** The interface in JSON: finds the route, who asks and what with, and sends what its handler gives. */
export class Interface {
  readonly #server: WatchedServer;
  readonly #visits: Visits;
  readonly #routes: readonly Answering[];
  readonly #stopping: AbortSignal;

  constructor(server: WatchedServer, visits: Visits, routes: readonly Answering[], stopping: AbortSignal) {
    this.#server = server;
    this.#visits = visits;
    this.#routes = routes;
    this.#stopping = stopping;
  }

  /** Answers a request, whatever comes of it. */
  async handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    try {
      await this.#answer(request, response, path);
    } catch (thrown) {
      if (response.destroyed) return; // nobody is there to be told: that is what stopped it
      const known = faultOf(thrown);
      // What fails because the caller has hung up is nobody's fault.
      if (response.destroyed) return;
      if (known === undefined) {
        const reason = thrown instanceof Error ? thrown.message : String(thrown);
        this.#server.log.error('a route of the console failed', { path, error: reason });
      }
      if (response.headersSent) response.destroy();
      else {
        request.resume();
        const { status, fault } = known ?? { status: 500, fault: { message: 'The log tells what went wrong.' } };
        sendJson(response, status, { error: fault });
      }
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    if (path === '/api/v1/openapi.json') {
      request.resume();
      const declared = this.#routes.map(({ route }) => route);
      return sendJson(response, 200, openApi(declared, this.#server.release));
    }
    const { answering, params } = matching(this.#routes, request.method === 'HEAD' ? 'GET' : request.method, path);
    const { route } = answering;
    await using caller =
      route.role === 'nobody' ? undefined : await identify(request, route, this.#server, this.#visits);
    if (caller === undefined && !isOwnOrigin(request)) throw refused(403, 'The request comes from another origin.');
    const parts = await readInput(request, route, params);
    const hungUp = new AbortController();
    response.once('close', () => hungUp.abort());
    const signal = AbortSignal.any([hungUp.signal, this.#stopping]);
    const given = answering.handle(this.#asked(request, response, caller, signal), parts);
    await sendGiven(response, route, given, signal);
  }

  #asked(request: IncomingMessage, response: ServerResponse, caller: Caller | undefined, signal: AbortSignal): Asked {
    const login = caller?.login ?? '';
    return {
      login,
      role: caller?.role ?? 'reader',
      client: (database) => {
        if (caller === undefined) throw refused(401, 'Log in first.');
        return caller.client.database(database);
      },
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
      enter: async (login) => {
        const { key, visit } = await this.#visits.begin(login);
        response.setHeader('set-cookie', setVisitCookie(request, key));
        return visit;
      },
      leave: async () => {
        if (caller?.key !== undefined) await this.#visits.end(caller.key);
        response.setHeader('set-cookie', setVisitCookie(request, undefined));
      },
      ends: (visit) => new Date(this.#visits.ends(visit)),
    };
  }
}

async function sendGiven(response: ServerResponse, route: RouteDeclaration, given: unknown, signal: AbortSignal) {
  // What a handler gives is what its declaration says: `answer` lets nothing else compile.
  if (route.events) return sendEvents(response, noStore, given as AsyncIterable<Event<unknown>>, signal);
  if (route.download) return sendFile(response, (await given) as Download);
  sendJson(response, 200, await given);
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const body = `${JSON.stringify(value)}\n`;
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, { ...noStore, ...headers });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** A file is always handed out to be kept, never shown: what is in it comes from anybody. */
async function sendFile(response: ServerResponse, { name, type, body }: Download): Promise<void> {
  const plain = name.replace(/[^\w .-]/g, '_');
  response.writeHead(200, {
    ...noStore,
    'content-type': type,
    'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`,
  });
  const pieces = typeof body === 'string' || body instanceof Uint8Array ? [body] : body;
  for await (const piece of pieces) if (!response.write(piece)) await once(response, 'drain');
  response.end();
}
