import type { Log, LogFields } from './log.ts';

/** Lines that may come at once, and so many milliseconds later again. */
const most = 50;
const period = 10_000;

/** Warnings that strangers can cause as often as they like: past a number of them in a while only their count is logged. */
export class LimitedLines {
  readonly #log: Log;
  readonly #now: () => number;
  #since = Number.NEGATIVE_INFINITY;
  #written = 0;
  #leftOut = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Log, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
  }

  warn(message: string, fields: LogFields): void {
    if (this.#now() - this.#since >= period) this.#begin();
    if (this.#written >= most) {
      this.#leftOut += 1;
      this.#timer ??= setTimeout(() => this.#begin(), period).unref();
      return;
    }
    this.#written += 1;
    this.#log.warn(message, fields);
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#leftOut > 0) this.#log.warn('refusals were left out of the log', { count: this.#leftOut });
    this.#leftOut = 0;
    this.#written = 0;
    this.#since = this.#now();
  }
}
