import { type SqlError, sqlError } from './sql-error.ts';

/** What a budget asks of the one above it at once, so that most growth is a comparison and an addition. */
const portion = 64 * 1024;

/**
 * Bytes that work holds in memory, counted against a limit of its own and against the budgets above it: a statement's
 * under its session's, that under its login's, that under the server's. Whoever holds rows asks before it keeps them.
 */
export class MemoryBudget {
  readonly limit: number;
  readonly #above: MemoryBudget | undefined;
  readonly #exceeded: () => SqlError;
  #used = 0;
  /** What the budget above has granted; at least what is used. */
  #granted = 0;

  constructor(limit: number, above?: MemoryBudget, exceeded: () => SqlError = () => sqlError(701, 'default')) {
    this.limit = limit;
    this.#above = above;
    this.#exceeded = exceeded;
  }

  /** Bytes in use, here and in the budgets below. */
  get used(): number {
    return this.#used;
  }

  /** Counts bytes in; throws 701, and counts nothing, when there is no room here or above. */
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

  /** Gives bytes back that were counted in. */
  shrink(bytes: number): void {
    if (bytes > this.#used) throw new RangeError(`A budget of ${this.#used} bytes in use cannot give back ${bytes}.`);
    this.#used -= bytes;
    const kept = Math.ceil(this.#used / portion) * portion;
    if (this.#above === undefined || kept >= this.#granted) return;
    this.#above.shrink(this.#granted - kept);
    this.#granted = kept;
  }

  /** A budget below this one, with a limit and if need be an error of its own. */
  under(limit: number, exceeded: () => SqlError = this.#exceeded): MemoryBudget {
    return new MemoryBudget(limit, this, exceeded);
  }

  /** Gives back everything that is still counted in, at the end of whatever the budget was for. */
  [Symbol.dispose](): void {
    this.shrink(this.#used);
  }
}
