import { nextTurn } from '../../base/rota.ts';
import type { StoredValue } from '../../base/stored.ts';
import { EngineFault } from '../fault.ts';

/** After so many rows in a row others get a turn: a loop over rows that are there already would never let them. */
const rowsATurn = 256;

/** The rows of a statement as an async iteration that can be ended from outside. */
export class RowStream<T> implements AsyncIterableIterator<T, undefined> {
  readonly #rows: Iterator<readonly StoredValue[], unknown>;
  readonly #read: (values: readonly StoredValue[]) => T;
  readonly #signal: AbortSignal | undefined;
  readonly #ended: () => void;
  #count = 0;
  #cut: Error | undefined;

  constructor(
    rows: Iterator<readonly StoredValue[], unknown>,
    read: (values: readonly StoredValue[]) => T,
    signal: AbortSignal | undefined,
    ended: () => void,
  ) {
    this.#rows = rows;
    this.#read = read;
    this.#signal = signal;
    this.#ended = ended;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<T, undefined>> {
    if (++this.#count % rowsATurn === 0) await nextTurn();
    const value = this.take();
    return value === undefined ? { done: true, value: undefined } : { done: false, value };
  }

  /** The next row at once; undefined after the last. */
  take(): T | undefined {
    try {
      // Ending quietly here would pass off half of the rows as all of them.
      if (this.#cut) throw this.#cut;
      this.#signal?.throwIfAborted();
      const step = this.#rows.next();
      if (step.done !== true) return this.#read(step.value);
    } catch (error) {
      this.stop();
      throw error;
    }
    this.stop();
    return undefined;
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    this.stop();
    return { done: true, value: undefined };
  }

  /** Ends the iteration because the work around it has ended, or for another reason. */
  cut(reason: Error = new EngineFault('Rows were asked for after the work that they were read in had ended.')): void {
    this.#cut ??= reason;
    this.stop();
  }

  stop(): void {
    this.#rows.return?.();
    this.#ended();
  }
}
