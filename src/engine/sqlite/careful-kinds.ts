/** Milliseconds for which calls of a kind run in savepoints after one failed having changed something. */
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

  /** True for a call that is to have a savepoint; nothing is known of one without a kind. */
  has(kind: object | undefined): boolean {
    if (kind === undefined) return true;
    const until = this.#until.get(kind);
    return until !== undefined && this.#time() < until;
  }

  /** A call of that kind could not be rolled back without its group. */
  add(kind: object | undefined): void {
    if (kind !== undefined) this.#until.set(kind, this.#time() + carefulFor);
  }
}
