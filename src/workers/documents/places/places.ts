import { fileURLToPath } from 'node:url';
import type { Client } from '../../../client/client.ts';
import { WorkError } from '../work-error.ts';
import { ConfigPlace } from './config-place.ts';
import { FilePlace } from './file-place.ts';
import { HttpPlace } from './http-place.ts';
import { isBelow } from './item-url.ts';
import type { Place, ReadOptions, WriteOptions } from './place.ts';

interface PlacesOptions {
  /** The folders that items may be in: `file:`, `http:`, `https:` and `config:` URLs that end in a slash. */
  readonly roots: readonly URL[];
  /** Folders of this machine that items may not be in, wherever they are. */
  readonly except: readonly string[];
  readonly userAgent: string;
  /** A client of the server, for the files of its configuration databases. */
  readonly server: Client;
}

/** The maximum milliseconds for a connection to a web server, and for a whole document. */
const connectTimeout = 10_000;
const timeout = 120_000;

/** All places that the operator allows. */
export class Places implements Place, AsyncDisposable {
  readonly #roots: readonly URL[];
  readonly #files: FilePlace;
  readonly #web: HttpPlace;
  readonly #config: ConfigPlace;

  constructor({ roots, except, userAgent, server }: PlacesOptions) {
    this.#roots = roots;
    const folders = roots.filter(({ protocol }) => protocol === 'file:').map((root) => fileURLToPath(root));
    this.#files = new FilePlace({ roots: folders, except });
    this.#web = new HttpPlace({ roots, userAgent, connectTimeout, timeout });
    this.#config = new ConfigPlace(server);
  }

  read(url: URL, into: string, options: ReadOptions): Promise<void> {
    return this.#of(url).read(url, into, options);
  }

  write(url: URL, from: string, options: WriteOptions): Promise<void> {
    return this.#of(url).write(url, from, options);
  }

  tidy(): Promise<void> {
    return this.#files.tidy();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#web[Symbol.asyncDispose]();
  }

  #of(url: URL): Place {
    // Files are checked where their links are resolved.
    if (url.protocol === 'file:') return this.#files;
    if (!this.#roots.some((root) => isBelow(url, root))) {
      const where = `${url.protocol}//${url.host}${url.pathname}`;
      throw new WorkError('notAllowed', `${where} is outside the roots that this worker may use.`);
    }
    return url.protocol === 'config:' ? this.#config : this.#web;
  }
}
