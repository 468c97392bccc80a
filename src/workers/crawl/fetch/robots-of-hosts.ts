import { setTimeout as delay } from 'node:timers/promises';
import { everythingAllowed, mostOfRobotsTxt, parseRobots, type Robots } from '../rules/robots-txt.ts';
import { CrawlError, type CrawlErrorKind } from './crawl-error.ts';
import type { Fetched } from './fetched.ts';
import type { HttpFetcher } from './http-fetcher.ts';

/**
 * A robots.txt is requested again after a day (RFC 9309 2.4); one that could not be fetched, after a moment or at the
 * time that its server gives.
 */
const keptFor = 24 * 3_600_000;
const missedFor = 5000;
/** Milliseconds before it is requested again at once: all items of the host would fail with it. */
const pauses = [100, 500];
const mostRedirects = 5;
/** Statuses of a server without a robots.txt: then nothing is forbidden. */
const absent: ReadonlySet<CrawlErrorKind> = new Set(['notFound', 'accessDenied', 'badRequest']);
/** Errors that concern the host as a whole. */
const ofHost: ReadonlySet<CrawlErrorKind> = new Set(['privateAddress', 'hostNotFound']);
/** The most hosts to cache. */
const mostHosts = 1000;

interface Kept {
  readonly robots: Promise<Robots>;
  until: number;
}

/** What each host asks of robots, fetched when the host is first met. */
export class RobotsOfHosts {
  readonly #fetcher: HttpFetcher;
  readonly #byOrigin = new Map<string, Kept>();

  constructor(fetcher: HttpFetcher) {
    this.#fetcher = fetcher;
  }

  /** The robots.txt for a URL; rejects if the server does not respond, so that nothing there is crawled. */
  async of(url: string, signal: AbortSignal): Promise<Robots> {
    const { origin, protocol } = new URL(url);
    if (protocol === 'file:') return everythingAllowed;
    for (;;) {
      try {
        return await this.#ofOrigin(origin, signal);
      } catch (error) {
        // The caller that asked the server may have been cancelled; one that only waited for the result asks again.
        if (error instanceof CrawlError || signal.aborted) throw error;
      }
    }
  }

  #ofOrigin(origin: string, signal: AbortSignal): Promise<Robots> {
    const known = this.#byOrigin.get(origin);
    if (known !== undefined && known.until > Date.now()) return known.robots;
    const kept: Kept = { robots: this.#fetch(origin, signal), until: Date.now() + keptFor };
    this.#byOrigin.set(origin, kept);
    kept.robots.catch((error: unknown) => {
      if (error instanceof CrawlError) kept.until = Date.now() + (error.retryAfter ?? missedFor);
      else this.#byOrigin.delete(origin);
    });
    if (this.#byOrigin.size > mostHosts) this.#byOrigin.delete(this.#byOrigin.keys().next().value ?? '');
    return kept.robots;
  }

  /**
   * Fetches it, several times if that may help; a server that gives a time to return, or hangs, is not asked again now.
   */
  async #request(url: string, signal: AbortSignal): Promise<Fetched> {
    for (let failed = 0; ; failed++) {
      try {
        return await this.#fetcher.fetch(url, {}, signal);
      } catch (error) {
        const pause = pauses[failed];
        const mayHelp = error instanceof CrawlError && error.mayPass && error.kind !== 'timeout';
        if (!mayHelp || error.retryAfter !== undefined || pause === undefined) throw error;
        await delay(pause, undefined, { signal });
      }
    }
  }

  /** Where it cannot be had or read, everything is forbidden (RFC 9309 2.3.1), for as long as that is so. */
  async #fetch(origin: string, signal: AbortSignal): Promise<Robots> {
    let url = `${origin}/robots.txt`;
    try {
      for (let redirects = 0; redirects <= mostRedirects; redirects++) {
        const found = await this.#request(url, signal);
        if (found.what !== 'redirect') {
          if (found.what !== 'content') return everythingAllowed;
          const text = new TextDecoder().decode(found.body.subarray(0, mostOfRobotsTxt));
          return parseRobots(text, this.#fetcher.robot);
        }
        url = found.to;
      }
      return everythingAllowed;
    } catch (error) {
      if (!(error instanceof CrawlError)) throw error;
      if (absent.has(error.kind)) return everythingAllowed;
      if (ofHost.has(error.kind)) throw error;
      const { kind, message, retryAfter } = error;
      throw new CrawlError(kind, `robots.txt of the host: ${message}`, { cause: error, retryAfter });
    }
  }
}
