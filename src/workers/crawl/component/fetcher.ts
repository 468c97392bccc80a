import type { Fetched, Known } from '../fetch/fetched.ts';
import { FileFetcher } from '../fetch/file-fetcher.ts';
import { HttpFetcher, type HttpOptions } from '../fetch/http-fetcher.ts';
import { RobotsOfHosts } from '../fetch/robots-of-hosts.ts';
import type { Robots } from '../rules/robots-txt.ts';
import type { SourceBook } from '../store/source-book.ts';

/** The source of documents; tests and benchmarks pass their own. */
export interface Fetcher extends AsyncDisposable {
  readonly robot: string;
  fetch(url: string, known: Known, signal: AbortSignal): Promise<Fetched>;
  robots(url: string, signal: AbortSignal): Promise<Robots>;
}

/** Documents of the web and of this machine's files, as far as the content sources let a crawl go. */
export class WorldFetcher implements Fetcher {
  readonly #http: HttpFetcher;
  readonly #files: FileFetcher;
  readonly #robots: RobotsOfHosts;

  constructor(options: Omit<HttpOptions, 'isTrusted'>, sources: SourceBook) {
    this.#http = new HttpFetcher({ ...options, isTrusted: (host) => sources.namesHost(host) });
    this.#files = new FileFetcher({ roots: () => sources.roots, largest: options.largest });
    this.#robots = new RobotsOfHosts(this.#http);
  }

  get robot(): string {
    return this.#http.robot;
  }

  fetch(url: string, known: Known, signal: AbortSignal): Promise<Fetched> {
    return url.startsWith('file:') ? this.#files.fetch(url) : this.#http.fetch(url, known, signal);
  }

  robots(url: string, signal: AbortSignal): Promise<Robots> {
    return this.#robots.of(url, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#http[Symbol.asyncDispose]();
  }
}
