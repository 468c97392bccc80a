/**
 * A thing is looked at again after so many times what the last look at it took, and what looks at all things took
 * together.
 */
const rest = 20;

/** Milliseconds that one waits for the others' sake at most: what many follow is not to stand still. */
const longest = 30_000;

/**
 * How often things that are followed are looked at. A look takes longer on a server that is busy: then all of them
 * together take no more than a twentieth of the time, so that consoles that are open leave it to those who call.
 */
export class Pace {
  readonly #taken = new Map<object, number>();

  /** Milliseconds until the next look at something that is worth one `every` so many, after one that took so long. */
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
