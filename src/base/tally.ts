/** Keys that are kept though their count has come to nothing: those that come and go all the time are not made anew. */
const keptKeys = 64;

/** Counts by key; a key whose count comes to nothing is forgotten when there are many. */
export class Tally<Key> {
  readonly #counts = new Map<Key, number>();

  of(key: Key): number {
    return this.#counts.get(key) ?? 0;
  }

  change(key: Key, by: number): void {
    const count = this.of(key) + by;
    if (count === 0 && this.#counts.size > keptKeys) this.#counts.delete(key);
    else this.#counts.set(key, count);
  }
}
