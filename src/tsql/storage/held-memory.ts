import type { MemoryBudget } from '../../base/memory/memory-budget.ts';
import { SqlError } from '../../base/messages/sql-error.ts';

/**
 * The part of a session's memory that an object holds as long as it exists: a table, a frame's variables, prepared
 * statements.
 */
export class HeldMemory {
  readonly #budget: MemoryBudget;
  readonly #refused: ((error: SqlError) => SqlError) | undefined;
  #bytes = 0;

  /** `refused` is the error if there is no room; 701 by default. */
  constructor(budget: MemoryBudget, refused?: (error: SqlError) => SqlError) {
    this.#budget = budget;
    this.#refused = refused;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Takes more; takes nothing if there is not room for all of it. */
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

  /** Changes the amount that it holds. */
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
