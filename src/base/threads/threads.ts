import { basename } from 'node:path';
import type { Log } from '../log/log.ts';
import { type RunOptions, Thread, ThreadEnded } from './thread.ts';

/** A script that runs in its own thread, with the types of its requests and answers. */
export interface ThreadScript<Request, Answer> {
  readonly url: URL;
  /** Never set: it only carries the two types. */
  readonly types?: (request: Request) => Answer;
}

/** The threads of a server, one per script: each starts with its first request and ends when idle. */
export class Threads implements AsyncDisposable {
  readonly #log: Log;
  readonly #byScript = new Map<string, Thread<unknown, unknown>>();
  #stopped = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Runs a request on a script's thread; rejects with what it threw, ThreadEnded or the reason of the signal. */
  run<Request, Answer>(
    { url }: ThreadScript<Request, Answer>,
    request: Request,
    options?: RunOptions,
  ): Promise<Answer> {
    if (this.#stopped) return Promise.reject(new ThreadEnded('The threads were stopped.'));
    let thread = this.#byScript.get(url.href);
    if (thread === undefined) {
      thread = new Thread(url, { onCrash: (error) => this.#noteCrash(url, error) });
      this.#byScript.set(url.href, thread);
    }
    // The script's type parameters state what its thread answers.
    return thread.run(request, options) as Promise<Answer>;
  }

  /** Fails running requests, and resolves when every thread has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([...this.#byScript.values()].map((thread) => thread.stop()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #noteCrash(url: URL, { message, cause }: ThreadEnded): void {
    const why = cause instanceof Error ? (cause.stack ?? cause.message) : message;
    this.#log.error('a thread crashed', { script: basename(url.pathname), error: why });
  }
}
