import type { Comer } from './throttle.ts';

/**
 * If a queue is longer than this, the last to come is served first: behind a crowd of guessers nobody would be served
 * in time.
 */
const crowd = 8;

/** The callers that wait under one name at one address. */
interface Line {
  readonly name: string;
  readonly waiting: (() => void)[];
}

/** An address: the waiting names that have not been served yet, in order of arrival, and those in rotation. */
interface Place {
  readonly address: string;
  readonly lines: Map<string, Line>;
  readonly fresh: Line[];
  readonly round: Line[];
}

/**
 * Limits the number of concurrent tasks. Turns alternate between addresses, and at an address between the names used
 * there, so that many of one kind keep nobody else waiting for more than a turn or two.
 */
export class FairQueue {
  readonly #places = new Map<string, Place>();
  #free: number;

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Runs work when it is its turn. */
  async run<T>(comer: Comer, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#wait(comer, resolve));
    try {
      return await work();
    } finally {
      const next = this.#next();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  #wait({ address, name }: Comer, go: () => void): void {
    let place = this.#places.get(address);
    if (place === undefined) {
      place = { address, lines: new Map(), fresh: [], round: [] };
      this.#places.set(address, place);
    }
    let line = place.lines.get(name);
    if (line === undefined) {
      line = { name, waiting: [] };
      place.lines.set(name, line);
      place.fresh.push(line);
    }
    line.waiting.push(go);
  }

  /** The caller whose turn it is; its address and name go to the end of the rotation. */
  #next(): (() => void) | undefined {
    const [place] = this.#places.values();
    if (place === undefined) return undefined;
    this.#places.delete(place.address);
    const line = ordered(place.fresh) ?? place.round.shift();
    if (line === undefined) return undefined;
    const go = ordered(line.waiting);
    if (line.waiting.length > 0) place.round.push(line);
    else place.lines.delete(line.name);
    if (place.lines.size > 0) this.#places.set(place.address, place);
    return go;
  }
}

const ordered = <T>(waiting: T[]): T | undefined => (waiting.length > crowd ? waiting.pop() : waiting.shift());
