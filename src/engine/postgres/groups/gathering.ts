/** The maximum time in milliseconds that calls wait for others. */
const longestWait = 2;

/** Makes calls wait for the callers that were just answered, since most of them call again. */
export class Gathering {
  #expected = 0;
  #complete: (() => void) | undefined;

  /** The number of callers that were answered or are waiting now. */
  expect(callers: number): void {
    this.#expected = callers;
  }

  /** Must be called when a call arrives; that many are waiting now. */
  came(waiting: number): void {
    if (waiting >= this.#expected) this.#complete?.();
  }

  /** Resolves when as many are waiting as expected, or after a moment; `waiting` is how many wait already. */
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
