/** Transactions of ours without one of others between them after which nobody else seems to write. */
const lonely = 16;

/**
 * Whether others write to the same PostgreSQL, which the numbers of our transactions tell: they follow one another as long as
 * nobody else has any.
 */
export class Company {
  #last: bigint | undefined;
  /** Transactions until nobody is there any more. */
  #left = 0;

  /** Notes the number of a transaction of ours. */
  note(transaction: bigint): void {
    if (this.#last !== undefined && transaction > this.#last + 1n) this.#left = lonely;
    else if (this.#left > 0) this.#left--;
    this.#last = transaction;
  }

  get isThere(): boolean {
    return this.#left > 0;
  }
}
