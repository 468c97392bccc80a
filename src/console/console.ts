import type { IncomingMessage, ServerResponse } from 'node:http';
import { keptFor, loadedOnce } from '../base/kept-for.ts';
import type { Service } from '../base/service.ts';
import { type Asset, loadAssets } from './assets.ts';
import type { ConsoleServer, WatchedServer } from './console-server.ts';
import { cookieOf, safety } from './headers.ts';
import { History } from './overview/history.ts';
import { listedDatabases } from './overview/listed-databases.ts';
import type { Standstill } from './overview/standstills.ts';
import { Room } from './room.ts';
import { CrawlWatch } from './routes/search/crawl-watch.ts';
import { shell } from './shell.ts';
import { Visits } from './visits.ts';
import { Wire } from './wire/wire.ts';

/**
 * Milliseconds for which data about the whole server are cached for pages: its health, who waits, what is stuck, and
 * the sizes of its databases.
 */
const kept = { wrong: 1_000, waits: 1_000, kinds: 5_000, databases: 10_000, standstills: 15_000 };

/** Bytes of answers to queries that are being gathered, or that nobody has read yet. */
const answers = { ofLogin: 32 * 1024 * 1024, all: 64 * 1024 * 1024 };

/** The console: pages for people under /console/, and the interface that they use under /api/v1/. */
export class Console implements Service {
  readonly #server: WatchedServer;
  readonly #visits: Visits;
  /** Loaded at the first request, like the files of pages: most consoles are opened rarely. */
  readonly #interface = loadedOnce(() => this.#loadInterface());
  readonly #assets = loadedOnce(loadAssets);
  readonly #crawls: CrawlWatch;
  readonly #stopping = new AbortController();

  constructor(server: ConsoleServer) {
    const history = new History(server.measures, server.clock, server.log);
    this.#server = {
      ...server,
      wire: new Wire(server.tap, server.clock),
      history,
      answers: new Room(answers),
      wrong: keptFor(kept.wrong, () => server.wrong()),
      kinds: keptFor(kept.kinds, () => server.view.databases()),
      waits: keptFor(kept.waits, () => server.view.waits()),
      databases: keptFor(kept.databases, () => listedDatabases(server.view)),
      standstills: keptFor(kept.standstills, () => this.#standstills()),
    };
    this.#visits = new Visits(server);
    this.#crawls = new CrawlWatch(this.#server);
  }

  async start(): Promise<void> {
    this.#visits.start();
    await this.#server.history.start();
    await this.#crawls.start();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#server.wire.stop();
    await this.#crawls.stop();
    await this.#server.history.stop();
    await this.#visits.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #loadInterface() {
    const [{ Interface }, { routes }] = await Promise.all([import('./interface.ts'), import('./routes.ts')]);
    return new Interface(this.#server, this.#visits, routes, this.#stopping.signal);
  }

  /** What is stuck; loaded when first requested, and omitted if it cannot be determined. */
  async #standstills(): Promise<readonly Standstill[]> {
    try {
      const { standstillsOf } = await import('./overview/standstills.ts');
      return await standstillsOf(this.#server);
    } catch (error) {
      this.#server.log.warn('waiting work could not be checked', { error: String(error) });
      return [];
    }
  }

  /** Answers a request for the console; false for any other. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const isRoute = path.startsWith('/api/v1/');
    if (!isRoute && path !== '/' && path !== '/console' && !path.startsWith('/console/')) return false;
    try {
      if (isRoute) await (await this.#interface()).handle(request, response, path);
      else await this.#page(request, response, path);
    } catch (error) {
      request.resume();
      const reason = error instanceof Error ? error.message : String(error);
      this.#server.log.error(isRoute ? 'the routes of the console could not be loaded' : 'a page failed', {
        path,
        error: reason,
      });
      if (!response.headersSent) send(response, 500, { 'content-type': 'text/plain' }, 'The log has the details.');
      else response.destroy();
    }
    return true;
  }

  async #page(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    request.resume();
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return send(response, 405, { allow: 'GET, HEAD' }, 'Only GET and HEAD.');
    }
    if (path === '/' || path === '/console') return send(response, 302, { location: '/console/' }, '');
    const assets = await this.#assets();
    if (!path.startsWith('/console/assets/')) {
      const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
      return send(response, 200, headers, shell(assets, path, cookieOf(request, 'granary_theme')));
    }
    const asset = path.startsWith(assets.base) ? assets.files.get(path.slice(assets.base.length)) : undefined;
    if (asset === undefined) return send(response, 404, { 'content-type': 'text/plain' }, 'There is no such file.');
    sendAsset(request, response, asset);
  }
}

function sendAsset(request: IncomingMessage, response: ServerResponse, { type, plain, zipped }: Asset): void {
  const mayZip = /\bgzip\b/.test(`${request.headers['accept-encoding']}`);
  const headers = {
    'content-type': type,
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
    ...(mayZip ? { 'content-encoding': 'gzip' } : {}),
  };
  send(response, 200, headers, mayZip ? zipped : plain);
}

function send(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer,
) {
  response.writeHead(status, { ...safety, ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
