import { isUtf8 } from 'node:buffer';
import { Agent, type Dispatcher, errors } from 'undici';
import { parseRobotHeaders } from '../rules/robot-tags.ts';
import { decoded } from './content-encoding.ts';
import { CrawlError } from './crawl-error.ts';
import type { Fetched, Known } from './fetched.ts';
import { guardedConnect, type Resolve } from './guarded-connect.ts';
import { statusError } from './status-error.ts';

export interface HttpOptions {
  /** The whole User-Agent header; its first word is the name of the robot. */
  readonly userAgent: string;
  /** Connections to one host at a time. */
  readonly connections: number;
  readonly connectTimeout: number;
  /** Milliseconds that a complete response may take. */
  readonly timeout: number;
  /** The most bytes of a document, before and after it is decompressed. */
  readonly largest: number;
  /** Hosts, each with its port, that may have private addresses. */
  readonly isTrusted: (host: string) => boolean;
  readonly resolve?: Resolve;
}

/** Partial content is not a document; nobody requested a range. */
const partialContent = 206;

/** As many bytes of headers as browsers take: pages with a long policy have more than Node's 16 KB. */
const longestHeaders = 256 * 1024;

type Headers = Dispatcher.ResponseData['headers'];

/** Requests documents from web servers. It follows no redirects: their targets are links like any other. */
export class HttpFetcher implements AsyncDisposable {
  readonly #options: HttpOptions;
  readonly #agent: Agent;

  constructor(options: HttpOptions) {
    this.#options = options;
    const { connections, connectTimeout: timeout, isTrusted, resolve } = options;
    this.#agent = new Agent({
      connections,
      connect: guardedConnect({ timeout, isTrusted, ...(resolve && { resolve }) }),
      headersTimeout: options.timeout,
      bodyTimeout: options.timeout,
      maxHeaderSize: longestHeaders,
      maxResponseSize: options.largest,
    });
  }

  /** The name under which robots.txt and pages address the crawler. */
  get robot(): string {
    return /^[\w-]+/.exec(this.#options.userAgent)?.[0] ?? '';
  }

  /** Fetches a document, unless it is unmodified; rejects with a CrawlError, or with the reason of the signal. */
  async fetch(url: string, known: Known, signal: AbortSignal): Promise<Fetched> {
    const late = AbortSignal.timeout(this.#options.timeout);
    try {
      return await this.#fetch(url, known, AbortSignal.any([signal, late]));
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (late.aborted) throw new CrawlError('timeout', `No complete response within ${this.#options.timeout} ms.`);
      throw asCrawlError(error);
    }
  }

  async #fetch(url: string, known: Known, signal: AbortSignal): Promise<Fetched> {
    const { origin, pathname, search } = new URL(url);
    const { statusCode, headers, body } = await this.#agent.request({
      origin,
      path: pathname + search,
      method: 'GET',
      headers: this.#headers(known),
      signal,
    });
    const location = one(headers, 'location');
    if (statusCode >= 300 && statusCode < 400 && statusCode !== 304 && location !== undefined) {
      await body.dump();
      const to = URL.parse(asUtf8(location), url);
      if (to === null) throw new CrawlError('badRequest', 'The server redirects to an invalid URL.');
      return { what: 'redirect', to: to.href };
    }
    const isContent = statusCode >= 200 && statusCode < 300 && statusCode !== partialContent;
    if (!isContent) await body.dump();
    // One that answers so unasked has sent no document.
    if (statusCode === 304 && isConditional(known)) return { what: 'notModified' };
    if (!isContent) throw statusError(statusCode, one(headers, 'retry-after'));
    const bytes = new Uint8Array(await body.arrayBuffer());
    return this.#content(headers, bytes);
  }

  #headers({ etag, lastModified }: Known): Record<string, string> {
    return {
      'user-agent': this.#options.userAgent,
      accept: '*/*',
      'accept-encoding': 'gzip, br, zstd, deflate',
      ...(etag !== undefined && { 'if-none-match': etag }),
      ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
    };
  }

  async #content(headers: Headers, raw: Uint8Array): Promise<Fetched> {
    const [mediaType = '', ...parameters] = (one(headers, 'content-type') ?? '').split(';');
    const charset = parameters.map((each) => /^\s*charset\s*=\s*"?([^"\s]+)/i.exec(each)?.[1]).find((each) => each);
    const lastModified = one(headers, 'last-modified');
    const modified = lastModified === undefined ? Number.NaN : Date.parse(lastModified);
    return {
      what: 'content',
      body: await decoded(raw, one(headers, 'content-encoding') ?? '', this.#options.largest),
      mediaType: mediaType.trim().toLowerCase(),
      charset,
      etag: one(headers, 'etag'),
      lastModified,
      modified: Number.isNaN(modified) ? undefined : modified,
      tags: parseRobotHeaders(all(headers, 'x-robots-tag'), this.robot),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }
}

const isConditional = ({ etag, lastModified }: Known): boolean => etag !== undefined || lastModified !== undefined;

const all = (headers: Headers, name: string): string[] => [headers[name] ?? []].flat();
const one = (headers: Headers, name: string): string | undefined => all(headers, name)[0];

/**
 * A header value: its bytes beyond ASCII, which Node decodes as Latin-1, are read as UTF-8 if possible, as browsers
 * read redirects.
 */
function asUtf8(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : header;
}

/** Resolver codes that mean that the host does not exist. */
const unknownHost = new Set(['ENOTFOUND', 'EAI_NONAME', 'EAI_NODATA']);

function asCrawlError(error: unknown): CrawlError {
  if (error instanceof CrawlError) return error;
  if (!(error instanceof Error)) return new CrawlError('communication', String(error));
  if (error.cause instanceof CrawlError) return error.cause;
  if (error instanceof errors.ResponseExceededMaxSizeError)
    return new CrawlError('tooLarge', 'The document is too large.');
  if (error instanceof errors.ConnectTimeoutError || error instanceof errors.HeadersTimeoutError) {
    return new CrawlError('timeout', error.message);
  }
  const code = 'code' in error ? String(error.code ?? '') : '';
  if (unknownHost.has(code)) return new CrawlError('hostNotFound', error.message);
  // After a semicolon Node adds advice on how to run Node.
  const [message = ''] = error.message.split('; ');
  // The codes of undici are names for what its messages say.
  const isSaid = code === '' || code.startsWith('UND_ERR_');
  return new CrawlError('communication', isSaid ? message : `${code}: ${message}`, { cause: error });
}
