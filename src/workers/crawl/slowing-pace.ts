/** The maximum number of milliseconds between two checks, however long nothing has changed. */
const slowest = 1000;
/** So much longer each look waits than the one before. */
const growth = 1.1;

/**
 * How long to wait between two looks: the longer nothing has changed, the longer. From a tenth of a second it takes ten
 * to a whole one.
 */
export class SlowingPace {
  readonly #first: number;
  #next: number;
  #seen: string | undefined;

  constructor(first: number) {
    this.#first = first;
    this.#next = first;
  }

  /** Takes the result of a check: if it has changed, more changes may follow soon. */
  see(state: unknown): void {
    const seen = JSON.stringify(state);
    if (seen !== this.#seen) this.quicken();
    this.#seen = seen;
  }

  quicken(): void {
    this.#next = this.#first;
  }

  /** Milliseconds until the next look. */
  next(): number {
    const now = this.#next;
    this.#next = Math.max(this.#first, Math.min(slowest, now * growth));
    return now;
  }
}
