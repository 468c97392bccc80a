import { type SqlError, sqlError } from '../messages/sql-error.ts';

/**
 * The number of bytes requested from the parent budget at a time, so that most growth is a comparison and an addition.
 */
const portion = 64 * 1024;

/**
 * Memory accounting: bytes that work holds, counted against its own limit and against the parent budgets: a statement's
 * under its session's, that under its login's, that under the server's. Whoever stores rows grows the budget first.
 */
export class MemoryBudget {
  readonly limit: number;
  readonly #above: MemoryBudget | undefined;
  readonly #exceeded: () => SqlError;
  #used = 0;
  /** Granted by the parent budget; at least as much as is used. */
  #granted = 0;

  constructor(limit: number, above?: MemoryBudget, exceeded: () => SqlError = () => sqlError(701, 'default')) {
    this.limit = limit;
    this.#above = above;
    this.#exceeded = exceeded;
  }

  /** Bytes in use, here and in the child budgets. */
  get used(): number {
    return this.#used;
  }

  /** Adds bytes; throws 701, and adds nothing, if there is no room here or in a parent. */
  grow(bytes: number): void {
    const used = this.#used + bytes;
    if (used > this.limit) throw this.#exceeded();
    if (used > this.#granted && this.#above !== undefined) {
      const wanted = Math.min(Math.ceil(used / portion) * portion, this.limit) - this.#granted;
      this.#above.grow(wanted);
      this.#granted += wanted;
    }
    this.#used = used;
  }

  /** Releases bytes that were added before. */
  shrink(bytes: number): void {
    if (bytes > this.#used) throw new RangeError(`A budget of ${this.#used} bytes in use cannot give back ${bytes}.`);
    this.#used -= bytes;
    const kept = Math.ceil(this.#used / portion) * portion;
    if (this.#above === undefined || kept >= this.#granted) return;
    this.#above.shrink(this.#granted - kept);
    this.#granted = kept;
  }

  /** A child of this budget, with its own limit and, if given, its own error. */
  under(limit: number, exceeded: () => SqlError = this.#exceeded): MemoryBudget {
    return new MemoryBudget(limit, this, exceeded);
  }

  /** Releases everything that is still counted, at the end of the work. */
  [Symbol.dispose](): void {
    this.shrink(this.#used);
  }
}
