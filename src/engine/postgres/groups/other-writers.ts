/** After this many consecutive transactions of this process, nobody else is assumed to be writing. */
const lonely = 16;

/**
 * Detects from the numbers of our own transactions whether others write to the same PostgreSQL: the numbers are
 * consecutive as long as nobody else writes.
 */
export class OtherWriters {
  #last: bigint | undefined;
  /** Transactions until others are assumed to have stopped. */
  #left = 0;

  /** Records the number of one of our transactions. */
  note(transaction: bigint): void {
    if (this.#last !== undefined && transaction > this.#last + 1n) this.#left = lonely;
    else if (this.#left > 0) this.#left--;
    this.#last = transaction;
  }

  get areActive(): boolean {
    return this.#left > 0;
  }
}
