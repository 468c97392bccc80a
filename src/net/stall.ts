import type { Log } from '../base/log/log.ts';

/** Disconnects a client that does not read its output for too long. */
export class Stall {
  /** The time (`performance.now()`) since which it has not read; undefined while it does. */
  since: number | undefined;
  readonly #timeout: number;
  readonly #log: Log;
  readonly #cut: () => void;

  constructor(timeout: number, log: Log, cut: () => void) {
    this.#timeout = timeout;
    this.#log = log;
    this.#cut = cut;
  }

  /** Starts a wait, which ends when the returned function is called. */
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
