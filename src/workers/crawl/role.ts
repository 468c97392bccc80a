import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../base/log/log.ts';
import { SqlError } from '../../base/messages/sql-error.ts';
import type { Service } from '../../base/service.ts';
import { ClientError } from '../../client/client-error.ts';

/** Milliseconds before a role that lost its databases tries again: at first, and at most. */
const firstPause = 100;
const longestPause = 5000;

/** The number of the error that a database cannot be opened: it was dropped, or is not made yet. */
const noSuchDatabase = 4060;

/**
 * A role of a crawl, restarted until it is stopped. A run ends when the server is unavailable or refuses something;
 * since all state of a role is in the databases, the next run continues where the last one ended.
 */
export abstract class Role implements Service {
  protected readonly log: Log;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(log: Log) {
    this.log = log;
  }

  /** One life; resolves when the signal is aborted, or when another life shall follow. */
  protected abstract live(signal: AbortSignal): Promise<void>;

  async start(): Promise<void> {
    this.#running ??= this.#run(this.#stop.signal);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #run(signal: AbortSignal): Promise<void> {
    let pause = firstPause;
    while (!signal.aborted) {
      const begun = Date.now();
      try {
        await this.live(signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#note(error);
      }
      pause = Date.now() - begun > longestPause ? firstPause : Math.min(pause * 2, longestPause);
      await delay(pause, undefined, { signal }).catch(() => {});
    }
  }

  /** A server that is away is nothing to be alarmed at. */
  #note(error: unknown): void {
    if (error instanceof ClientError) this.log.warn('the databases cannot be reached', { error: error.message });
    else if (error instanceof SqlError && error.number === noSuchDatabase)
      this.log.warn('the database does not exist', { error: error.message });
    else if (error instanceof SqlError)
      this.log.error('the database refused the call', { number: error.number, error: error.message });
    else
      this.log.error('a crawl role failed', {
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
  }
}

/** Waits; resolves early, to false, if the signal is aborted. */
export async function rest(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  await delay(milliseconds, undefined, { signal }).catch(() => {});
  return !signal.aborted;
}
