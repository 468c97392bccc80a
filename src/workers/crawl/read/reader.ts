import { Thread, ThreadEnded } from '../../../base/threads/thread.ts';
import { CrawlError } from '../fetch/crawl-error.ts';
import { isReadable } from './read-document.ts';
import type { ReadAnswer } from './read-thread.ts';
import { nothingRead, type Reading, type ReadRequest } from './reading.ts';

export interface ReaderOptions {
  /** Milliseconds that a document may take. */
  readonly timeout: number;
  /** Megabytes that its reader may take. */
  readonly memory: number;
}

class Hung extends Error {}

/** Reads documents in a separate thread: one that makes it crash or hang costs only that document. */
export class Reader implements AsyncDisposable {
  readonly #timeout: number;
  readonly #thread: Thread<ReadRequest, ReadAnswer>;
  /** The thread reads one after another; the time of a document begins when the thread does. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor({ timeout, memory }: ReaderOptions, script = new URL('./read-thread.ts', import.meta.url)) {
    this.#timeout = timeout;
    this.#thread = new Thread(script, {
      resourceLimits: { maxOldGenerationSizeMb: memory },
      most: memory * 1024 * 1024,
      idleTime: 60_000,
    });
  }

  /** Reads a document; rejects with a CrawlError. Its bytes are gone afterwards. */
  read(request: ReadRequest): Promise<Reading> {
    if (!isReadable(request.mediaType)) return Promise.resolve(nothingRead);
    const read = this.#turn.then(() => this.#read(request));
    this.#turn = read.catch(() => {});
    return read;
  }

  async #read(request: ReadRequest): Promise<Reading> {
    const late = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    // A busy machine may take long to start the thread: that is not the document's doing.
    const onBegin = () => {
      timer = setTimeout(() => late.abort(new Hung()), this.#timeout);
    };
    try {
      const answer = await this.#thread.run(request, { signal: late.signal, onBegin });
      if ('reading' in answer) return answer.reading;
      throw new CrawlError(answer.error, answer.message);
    } catch (error) {
      if (error instanceof CrawlError) throw error;
      if (error instanceof Hung) throw new CrawlError('readerHung', `Reading it takes more than ${this.#timeout} ms.`);
      if (error instanceof ThreadEnded && error.isOutOfMemory)
        throw new CrawlError('readerCrashed', 'Reading it takes too much memory.');
      throw new CrawlError('readerCrashed', 'Its parser crashed.', { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread.stop();
  }
}
