import type { Comer } from './throttle.ts';

/** Past so many in a line the last to come are first: behind a crowd that guesses nobody would be served in time. */
const crowd = 8;

/** Those who wait under one name at one address. */
interface Line {
  readonly name: string;
  readonly waiting: (() => void)[];
}

/** An address: the names that were never served while they wait, in the order that they came, and those of the round. */
interface Place {
  readonly address: string;
  readonly lines: Map<string, Line>;
  readonly fresh: Line[];
  readonly round: Line[];
}

/**
 * Lets so many pieces of work run at once. The others wait: turns go round among addresses, and at an address among the
 * names that come from there, so that many of one kind keep nobody else waiting for more than a turn or two.
 */
export class Turns {
  readonly #places = new Map<string, Place>();
  #free: number;

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Runs work when its turn has come. */
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

  /** Whose turn it is; their address and name go to the end of the round. */
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
