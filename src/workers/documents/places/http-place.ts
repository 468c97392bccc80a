import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Agent, type Dispatcher } from 'undici';
import type { ItemError } from '../../../protocols/jobs/item-errors.ts';
import { WorkError } from '../work-error.ts';
import { isBelow } from './item-url.ts';
import type { Place, ReadOptions, WriteOptions } from './place.ts';

interface HttpPlaceOptions {
  /** The folders that may be read and written; a user and a password in one are shown to its server. */
  readonly roots: readonly URL[];
  readonly userAgent: string;
  /** The maximum milliseconds for a connection, and for a whole response. */
  readonly connectTimeout: number;
  readonly timeout: number;
}

const mostRedirects = 5;

/** What the answers of servers mean for an item. */
const statusErrors: Readonly<Record<number, readonly [ItemError, string]>> = {
  401: ['accessDenied', 'The server requires a login.'],
  403: ['accessDenied', 'The server forbids it.'],
  404: ['notFound', 'There is no such document.'],
  405: ['accessDenied', 'The server accepts no outputs there.'],
  409: ['folderMissing', 'The folder of the output does not exist.'],
  410: ['notFound', 'The document no longer exists.'],
  412: ['outputExists', 'An output of that name already exists and may not be replaced.'],
  413: ['tooLarge', 'The server accepts no file of that size.'],
  507: ['diskFull', 'The disk of the server is full.'],
};

/** Documents of web servers: read with GET, and written with PUT as in WebDAV. */
export class HttpPlace implements Place, AsyncDisposable {
  readonly #options: HttpPlaceOptions;
  readonly #agent: Agent;

  constructor(options: HttpPlaceOptions) {
    this.#options = options;
    this.#agent = new Agent({ connect: { timeout: options.connectTimeout }, headersTimeout: options.timeout });
  }

  read(url: URL, into: string, { largest, signal }: ReadOptions): Promise<void> {
    return this.#timed(signal, async (enough) => {
      const { body } = await this.#get(url, enough);
      let size = 0;
      const counted = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          size += chunk.length;
          const isTooLarge = size > largest;
          done(isTooLarge ? new WorkError('tooLarge', `It has more than ${largest} bytes.`) : null, chunk);
        },
      });
      await pipeline(body, counted, createWriteStream(into, { flags: 'wx', mode: 0o600 }), { signal: enough });
    });
  }

  write(url: URL, from: string, { replace, signal }: WriteOptions): Promise<void> {
    return this.#timed(signal, async (enough) => {
      const { size } = await stat(from);
      const answer = await this.#agent.request({
        ...this.#request(url, enough),
        method: 'PUT',
        headers: {
          ...this.#headers(url),
          'content-length': String(size),
          'content-type': 'application/octet-stream',
          ...(!replace && { 'if-none-match': '*' }),
        },
        body: createReadStream(from),
      });
      await answer.body.dump();
      if (answer.statusCode < 200 || answer.statusCode > 299) throw statusError(answer.statusCode);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }

  async #get(url: URL, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    let at = url;
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const answer = await this.#agent.request({
        ...this.#request(at, signal),
        method: 'GET',
        headers: this.#headers(at),
      });
      if (answer.statusCode === 200) return answer;
      await answer.body.dump();
      const to = [answer.headers['location']].flat()[0];
      if (answer.statusCode < 300 || answer.statusCode > 399 || to === undefined) throw statusError(answer.statusCode);
      const next = URL.parse(to, at);
      if (next === null || this.#rootOf(next) === undefined) {
        throw new WorkError('notAllowed', 'The server redirects outside the roots that this worker may use.');
      }
      at = next;
    }
    throw new WorkError('unreachable', 'The server redirects too often.');
  }

  #request({ origin, pathname, search }: URL, signal: AbortSignal) {
    return { origin, path: pathname + search, signal };
  }

  #rootOf(url: URL): URL | undefined {
    return this.#options.roots.find((root) => isBelow(url, root));
  }

  #headers(url: URL): Record<string, string> {
    const { username = '', password = '' } = this.#rootOf(url) ?? {};
    const secret = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
    return {
      'user-agent': this.#options.userAgent,
      ...(username !== '' && { authorization: `Basic ${secret.toString('base64')}` }),
    };
  }

  async #timed(signal: AbortSignal, work: (enough: AbortSignal) => Promise<void>): Promise<void> {
    const late = AbortSignal.timeout(this.#options.timeout);
    try {
      await work(AbortSignal.any([signal, late]));
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof WorkError) throw error;
      const why = late.aborted ? 'it takes too long' : error instanceof Error ? error.message : String(error);
      throw new WorkError('unreachable', `The server cannot be reached: ${why}.`, { cause: error });
    }
  }
}

function statusError(status: number): WorkError {
  const [kind, text] = statusErrors[status] ?? ['unreachable', 'The server does not support it.'];
  return new WorkError(kind, `${text} (HTTP ${status})`);
}
