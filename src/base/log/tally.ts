/** The number of keys kept with a count of zero, so that those that come and go all the time are not created anew. */
const keptKeys = 64;

/** Counts by key; keys whose count has dropped to zero are removed if there are many. */
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
