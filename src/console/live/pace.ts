/** The factors by which the duration of the last read of a thing, and of all reads together, delays its next one. */
const rest = 20;

/** The maximum delay in milliseconds because of other reads, so that nothing stops being updated. */
const longest = 30_000;

/**
 * How often followed things are read. A read takes longer on a busy server: all of them together then take at most a
 * twentieth of the time, so that open consoles leave the server to its callers.
 */
export class Pace {
  readonly #taken = new Map<object, number>();

  /** Milliseconds until the next read of something with the interval `every`, after one of a given duration. */
  pause(thing: object, every: number, taken: number): number {
    this.#taken.set(thing, taken);
    const all = this.#taken.values().reduce((sum, each) => sum + each, 0);
    return Math.max(every, rest * taken, Math.min(longest, rest * all));
  }

  /** Nobody follows it any more. */
  forget(thing: object): void {
    this.#taken.delete(thing);
  }
}
