import type { Row, Shape, StoredValue } from '../../../base/stored.ts';
import { nextTurn } from '../../../base/threads/rota.ts';
import type { DirectRows } from '../../db.ts';
import { EngineFault } from '../../fault.ts';
import { type RowReader, readerOf } from '../../shape.ts';
import type { StoredRows } from '../connection.ts';

/**
 * The number of consecutive rows after which other work gets a turn: a loop over rows that are already there would
 * never yield.
 */
const rowsATurn = 256;

/** The rows of a statement as an async iterator that can be ended from outside, or taken synchronously one by one. */
export class RowStream<S extends Shape> implements AsyncIterableIterator<Row<S>, undefined>, DirectRows {
  readonly shape: S;
  readonly #rows: StoredRows;
  readonly #reader: RowReader<S>;
  readonly #signal: AbortSignal | undefined;
  #count = 0;
  #isEnded = false;
  #cut: Error | undefined;

  constructor(rows: StoredRows, shape: S, signal: AbortSignal | undefined) {
    this.#rows = rows;
    this.shape = shape;
    this.#reader = readerOf(shape);
    this.#signal = signal;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Row<S>, undefined>> {
    if (++this.#count % rowsATurn === 0) await nextTurn();
    const value = this.take();
    return value === undefined ? { done: true, value: undefined } : { done: false, value };
  }

  /** The next row, synchronously; undefined after the last. */
  take(): Row<S> | undefined {
    const stored = this.#next();
    return stored && this.#reader.read(stored);
  }

  takeValues(): unknown[] | undefined {
    const stored = this.#next();
    return stored && this.#reader.values(stored);
  }

  async return(): Promise<IteratorResult<Row<S>, undefined>> {
    this.stop();
    return { done: true, value: undefined };
  }

  /** Ends the iteration because the unit of work has ended, or for another reason. */
  cut(reason: Error = new EngineFault('Rows were read after their unit of work had ended.')): void {
    this.#cut ??= reason;
    this.stop();
  }

  stop(): void {
    this.#isEnded = true;
    this.#rows.stop();
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  #next(): readonly StoredValue[] | undefined {
    let stored: readonly StoredValue[] | undefined;
    try {
      // Ending without an error would present some of the rows as all of them.
      if (this.#cut) throw this.#cut;
      if (this.#isEnded) return undefined;
      this.#signal?.throwIfAborted();
      stored = this.#rows.take();
    } catch (error) {
      this.stop();
      throw error;
    }
    if (stored === undefined) this.stop();
    return stored;
  }
}
