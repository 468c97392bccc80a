/** How long calls that wait do so for others that are about to come, in milliseconds. */
const longestWait = 1;
/** So many of those who called a moment ago are waited for: not for the last of them. */
const enough = 0.9;

/** Where calls wait for those who were answered a moment ago, since most of them call again. */
export class Gathering {
  #expected = 0;
  #complete: (() => void) | undefined;

  /** So many callers were answered or wait now. */
  expect(callers: number): void {
    this.#expected = Math.round(callers * enough);
  }

  /** Somebody has come, and so many wait now. */
  came(waiting: number): void {
    if (waiting >= this.#expected) this.#complete?.();
  }

  /** Resolves when as many wait as are expected, at the latest after a moment; so many wait already. */
  async wait(waiting: number): Promise<void> {
    if (waiting >= this.#expected) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, longestWait);
    this.#complete = resolve;
    await promise;
    this.#complete = undefined;
    clearTimeout(timer);
  }
}
