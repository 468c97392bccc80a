import type { MemoryBudget } from '../../base/memory-budget.ts';
import { SqlError } from '../../base/sql-error.ts';

/**
 * What an object holds of a session's memory for as long as it is there: a table, a frame's variables, what was
 * prepared.
 */
export class HeldMemory {
  readonly #budget: MemoryBudget;
  readonly #refused: ((error: SqlError) => SqlError) | undefined;
  #bytes = 0;

  /** `refused` says what it means that there is no room; 701 unless told. */
  constructor(budget: MemoryBudget, refused?: (error: SqlError) => SqlError) {
    this.#budget = budget;
    this.#refused = refused;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Takes more; nothing is taken when there is no room for all of it. */
  take(bytes: number): void {
    try {
      this.#budget.grow(bytes);
    } catch (error) {
      throw error instanceof SqlError && this.#refused !== undefined ? this.#refused(error) : error;
    }
    this.#bytes += bytes;
  }

  giveBack(bytes: number): void {
    const had = Math.min(bytes, this.#bytes);
    this.#bytes -= had;
    this.#budget.shrink(had);
  }

  /** Holds as much as it is said to from now on. */
  become(bytes: number): void {
    if (bytes > this.#bytes) this.take(bytes - this.#bytes);
    else this.giveBack(this.#bytes - bytes);
  }

  /** The object is gone. */
  free(): void {
    this.giveBack(this.#bytes);
  }

  [Symbol.dispose](): void {
    this.free();
  }
}
