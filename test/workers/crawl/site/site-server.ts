import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Site, type SiteOptions } from './site.ts';

/** What was asked for, by URL: how often, and how often it was as it had been. */
export interface Asked {
  count: number;
  unchanged: number;
}

/** A generated site on ports of this machine, one a host. */
export class SiteServer implements AsyncDisposable {
  readonly site: Site;
  /** Without robots.txt. */
  readonly asked = new Map<string, Asked>();
  readonly #servers: readonly Server[];

  private constructor(site: Site, servers: readonly Server[]) {
    this.site = site;
    this.#servers = servers;
  }

  static async start({
    hosts = 2,
    ...options
  }: Omit<SiteOptions, 'origins'> & { hosts?: number }): Promise<SiteServer> {
    const servers = Array.from({ length: hosts }, () => createServer({ keepAliveTimeout: 30_000 }));
    for (const server of servers) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    }
    const origins = servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const started = new SiteServer(new Site({ ...options, origins }), servers);
    for (const [host, server] of servers.entries()) {
      server.on('request', (request, response) => started.#answer(origins[host] ?? '', request, response));
    }
    return started;
  }

  #answer(origin: string, request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '/';
    const { status, headers = {}, body = '', delay = 0 } = this.site.answer(origin, path);
    const isUnchanged =
      status === 200 &&
      ((headers['etag'] !== undefined && request.headers['if-none-match'] === headers['etag']) ||
        (headers['last-modified'] !== undefined && request.headers['if-modified-since'] === headers['last-modified']));
    if (path !== '/robots.txt') this.#note(origin + path, isUnchanged);
    const send = () => {
      if (isUnchanged) return response.writeHead(304).end();
      const isZipped = path.length % 2 === 0 && /gzip/.test(request.headers['accept-encoding'] ?? '');
      const bytes = isZipped ? gzipSync(body) : body;
      const encoding = isZipped ? { 'content-encoding': 'gzip' } : {};
      response.writeHead(status, { ...headers, ...encoding, 'content-length': Buffer.byteLength(bytes) }).end(bytes);
    };
    if (delay > 0) setTimeout(send, delay);
    else send();
  }

  #note(url: string, isUnchanged: boolean): void {
    const asked = this.asked.get(url) ?? { count: 0, unchanged: 0 };
    asked.count++;
    if (isUnchanged) asked.unchanged++;
    this.asked.set(url, asked);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
  }
}
