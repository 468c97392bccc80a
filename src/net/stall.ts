import type { Log } from '../base/log.ts';

/** Minds a client that does not read what was sent: it is cut off when that takes too long. */
export class Stall {
  /** Since when it has not read, by `performance.now()`; undefined while it reads. */
  since: number | undefined;
  readonly #timeout: number;
  readonly #log: Log;
  readonly #cut: () => void;

  constructor(timeout: number, log: Log, cut: () => void) {
    this.#timeout = timeout;
    this.#log = log;
    this.#cut = cut;
  }

  /** A wait begins; it ends when what is returned is called. */
  begin(): () => void {
    this.since = performance.now();
    const timer = setTimeout(() => {
      this.#log.warn('a client that does not read its results was disconnected', { milliseconds: this.#timeout });
      this.#cut();
    }, this.#timeout);
    return () => {
      this.since = undefined;
      clearTimeout(timer);
    };
  }
}
