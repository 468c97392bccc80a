/** Milliseconds for which the calls of a kind run in savepoints after one of them has failed after a change. */
const carefulFor = 60_000;

/**
 * Decides which calls run in savepoints of their own. A failed call must leave nothing; but most that fail do so before
 * they have changed anything, and a savepoint costs as much as a short call itself. So a call gets one only if its kind
 * has recently failed after a change. If another kind does so, its group is rolled back and each of its calls is run
 * again separately.
 */
export class CarefulKinds {
  readonly #time: () => number;
  readonly #until = new WeakMap<object, number>();

  constructor(time: () => number) {
    this.#time = time;
  }

  /** True if the call needs a savepoint; a call without a kind always does. */
  has(kind: object | undefined): boolean {
    if (kind === undefined) return true;
    const until = this.#until.get(kind);
    return until !== undefined && this.#time() < until;
  }

  /** Records that a failed call of this kind could not be rolled back on its own. */
  add(kind: object | undefined): void {
    if (kind !== undefined) this.#until.set(kind, this.#time() + carefulFor);
  }
}
