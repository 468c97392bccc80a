/** The source of a stream of rows, and how to pause, resume and stop it. */
interface Source<Item, End> {
  /** Starts; passes items to `push`, resolves at the end of the response. */
  run(push: (item: Item) => void): Promise<End>;
  pause(): void;
  resume(): void;
  /** Cancels what runs; `run` then rejects. */
  stop(): void;
}

/** Items that may wait for their reader before reading from the server pauses. */
const ahead = 64;

/**
 * Rows as they arrive, read no faster than they are consumed. `end` resolves to what followed the last row. Leaving the
 * loop early, or disposing of the stream, cancels the request.
 */
export class RowStream<Item, End> implements AsyncIterable<Item>, AsyncDisposable {
  readonly #source: Source<Item, End>;
  readonly #waiting: Item[] = [];
  readonly #ended: Promise<End>;
  #next = 0;
  #state: 'running' | 'paused' | 'over' = 'running';
  #failure: { readonly error: unknown } | undefined;
  /** Waiters for rows or the end: there may be several, such as one that awaits the end next to a loop. */
  readonly #wakes: (() => void)[] = [];

  constructor(source: Source<Item, End>) {
    this.#source = source;
    this.#ended = source.run((item) => this.#push(item));
    this.#ended.then(
      () => this.#over(),
      (error: unknown) => this.#over({ error }),
    );
  }

  /** What followed the rows; unread rows are dropped, also those of a loop that has not reached its end. */
  async end(): Promise<End> {
    await this.#toTheEnd();
    return await this.#ended;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    try {
      for (;;) {
        while (this.#next < this.#waiting.length) yield this.#waiting[this.#next++] as Item; // below the length
        this.#drop();
        if (this.#state === 'over') break;
        await this.#change();
      }
    } finally {
      await this[Symbol.asyncDispose]();
    }
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#state !== 'over') this.#source.stop();
    await this.#toTheEnd();
  }

  async #toTheEnd(): Promise<void> {
    while (this.#state !== 'over') {
      this.#drop();
      await this.#change();
    }
  }

  #push(item: Item): void {
    this.#waiting.push(item);
    if (this.#waiting.length >= ahead && this.#state === 'running') {
      this.#state = 'paused';
      this.#source.pause();
    }
    this.#wake();
  }

  #drop(): void {
    this.#waiting.length = 0;
    this.#next = 0;
    if (this.#state !== 'paused') return;
    this.#state = 'running';
    this.#source.resume();
  }

  #over(failure?: { readonly error: unknown }): void {
    this.#state = 'over';
    this.#failure = failure;
    this.#wake();
  }

  #wake(): void {
    if (this.#wakes.length > 0) for (const wake of this.#wakes.splice(0)) wake();
  }

  #change(): Promise<void> {
    if (this.#state === 'over' || this.#waiting.length > 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wakes.push(resolve);
    });
  }
}
