/** Rows of a source that may be slow: the wait for one of them can be interrupted, and there are no more then. */
export class InterruptibleRows<T> implements AsyncIterable<T> {
  readonly #source: AsyncIterable<T>;
  #isInterrupted = false;
  #wake: () => void = () => {};

  constructor(source: AsyncIterable<T>) {
    this.#source = source;
  }

  interrupt(): void {
    this.#isInterrupted = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    const rows = this.#source[Symbol.asyncIterator]();
    let isOver = false;
    try {
      while (!this.#isInterrupted) {
        const next = await this.#next(rows);
        isOver = next?.done === true;
        if (next === undefined || isOver) return;
        yield next.value;
      }
    } catch (error) {
      isOver = true;
      throw error;
    } finally {
      // It may notice only after the row that it waits for. The reason of the interruption is reported, later failures
      // are not.
      if (!isOver) rows.return?.().catch(() => {});
    }
  }

  /** The next row, or undefined where an interruption comes first. */
  #next(rows: AsyncIterator<T>): Promise<IteratorResult<T> | undefined> {
    return new Promise((resolve, reject) => {
      this.#wake = () => resolve(undefined);
      rows.next().then(resolve, reject);
    });
  }
}
