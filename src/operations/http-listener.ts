import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import type { Log } from '../base/log/log.ts';
import type { Service } from '../base/service.ts';
import { HttpCrowd } from './http-crowd.ts';
import { readInTurns } from './http-input.ts';
import { HttpTurns } from './http-turns.ts';
import { type Answer, json, type Route } from './route.ts';

/** The port that is tried if the operator specifies none. */
const usualPort = 8433;

/** The greatest ticket of Windows (MaxTokenSize, 48,000 bytes) in base64, and other headers. */
const longestTicket = 80 * 1024;

/** Characters of an address; none of the server's own is a tenth as long. */
const longestAddress = 8 * 1024;

interface HttpListenerOptions {
  readonly host: string;
  /** `auto`: the usual port, or a free one if that is in use. */
  readonly port: number | 'auto';
  /** Certificate and key, and what is agreed on; without them nothing is encrypted, which is for loopback. */
  readonly tls?: SecureContextOptions;
  /**
   * True where requests may bring tickets of Windows users in their headers, which a user of many groups has long ones
   * of.
   */
  readonly longHeaders: boolean;
  readonly routes: readonly Route[];
  /** Answers requests that match none of the routes. */
  readonly console?: Pages | undefined;
  /** The token that an operator must present if a route is not public. */
  readonly token: string;
  readonly log: Log;
}

/** Pages, which are opaque to the listener. */
export interface Pages {
  /** Answers a request, even if it fails; false if it is not for it. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
}

/** The operators' HTTP listener: health, figures and state. */
export class HttpListener implements Service {
  readonly #options: HttpListenerOptions;
  readonly #server: Server | SecureServer;
  readonly #routes: ReadonlyMap<string, Route>;
  readonly #turns = new HttpTurns();

  constructor(options: HttpListenerOptions) {
    this.#options = options;
    this.#routes = new Map(options.routes.map((route) => [route.path, route]));
    // Nobody needs large or slow requests here, and none may block the listener.
    const limits = {
      maxHeaderSize: options.longHeaders ? longestTicket : 16 * 1024,
      requestTimeout: 10_000,
      headersTimeout: 10_000,
      keepAliveTimeout: 5_000,
      connectionsCheckingInterval: 1_000,
    };
    const listener = (request: IncomingMessage, response: ServerResponse) => void this.#respond(request, response);
    // Importing these modules would load fetch and HTTP/2 with them, 7 MB, even without a listener.
    this.#server = options.tls
      ? process.getBuiltinModule('node:https').createServer({ ...limits, ...options.tls }, listener)
      : process.getBuiltinModule('node:http').createServer(limits, listener);
    new HttpCrowd(this.#server);
    readInTurns(this.#server, this.#turns);
  }

  /** The port it listens on. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port; // an address of TCP is never a text
  }

  /** Uses another certificate for new connections. */
  renew(tls: SecureContextOptions): void {
    if ('setSecureContext' in this.#server) this.#server.setSecureContext(tls);
  }

  async start(): Promise<void> {
    const { port, log } = this.#options;
    try {
      await this.#listen(port === 'auto' ? usualPort : port);
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (port !== 'auto' || !isTaken) throw error;
      await this.#listen(0);
      log.warn('the default HTTP port is in use', { usual: usualPort, port: this.port });
    }
    this.#server.on('error', (error) => log.error('the HTTP listener failed', { error: error.message }));
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #listen(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, this.#options.host, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.#turns.next(request.socket);
    // Requests pipelined by a client that has been disconnected for that are ignored.
    if (request.socket.destroyed) return;
    if ((request.url ?? '').length > longestAddress) return refuse(request, response);
    if (await this.#options.console?.handle(request, response)) return;
    request.resume(); // no route reads a body
    const { status, type, body } = await this.#answer(request);
    response.writeHead(status, {
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const route = this.#routes.get((request.url ?? '').replace(/\?.*/s, ''));
    if (route === undefined) return json(404, { error: `There is ${[...this.#routes.keys()].join(', ')}.` });
    if (request.method !== 'GET' && request.method !== 'HEAD') return json(405, { error: 'Only GET and HEAD.' });
    if (route.access === 'operator' && !this.#isOperator(request.headers.authorization)) {
      return json(401, { error: 'The token in the data folder is needed: Authorization: Bearer TOKEN.' });
    }
    try {
      return await route.answer();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#options.log.error('an HTTP request failed', { path: route.path, error: reason });
      return json(500, { error: 'The log has the details.' });
    }
  }

  #isOperator(authorization = ''): boolean {
    const [given, wanted] = [Buffer.from(authorization), Buffer.from(`Bearer ${this.#options.token}`)];
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.writeHead(414, { 'content-length': 0, connection: 'close' }).end();
}
