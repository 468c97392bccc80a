/** Chance that a seed decides (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** The chance of one input of a target: the same for the same seed, target and number. */
  static of(seed: number, target: string, input: number): Random {
    let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
    for (let at = 0; at < target.length; at++) state = Math.imul(state ^ target.charCodeAt(at), 0x01000193);
    return new Random(Math.imul(state ^ input, 0xc2b2ae35) ^ (input >>> 16));
  }

  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** A whole number from 0 up to and without `end`. */
  below(end: number): number {
    return this.#next() % end;
  }

  chance(oneIn: number): boolean {
    return this.below(oneIn) === 0;
  }

  pick<T>(from: readonly [T, ...T[]] | readonly T[]): T {
    return from[this.below(from.length)] as T; // callers give lists with something in them
  }

  /** So many of something, mostly few. */
  some<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.below(this.below(most) + 1) + (this.chance(2) ? 1 : 0) }, make);
  }

  bytes(length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    for (let at = 0; at < length; at++) bytes[at] = this.#next();
    return bytes;
  }
}
