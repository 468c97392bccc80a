/** Milliseconds for which calls of a kind are run in savepoints after one has failed when it had changed something. */
const carefulFor = 60_000;

/**
 * Which calls are run in savepoints of their own. A call that fails leaves nothing; but most fail before they have changed
 * anything, if they do, and a savepoint costs as much as a short call does in it. So a call has one only if its kind has
 * failed otherwise lately. Should another do so, its group is undone and every call of it is run again by itself.
 */
export class CarefulKinds {
  readonly #time: () => number;
  readonly #until = new WeakMap<object, number>();

  constructor(time: () => number) {
    this.#time = time;
  }

  /** True for a call that is to have a savepoint; of one without a kind nothing is known. */
  has(kind: object | undefined): boolean {
    if (kind === undefined) return true;
    const until = this.#until.get(kind);
    return until !== undefined && this.#time() < until;
  }

  /** A call of that kind could not be undone without its group. */
  add(kind: object | undefined): void {
    if (kind !== undefined) this.#until.set(kind, this.#time() + carefulFor);
  }
}
