import { sqlError } from '../../base/sql-error.ts';

/** How long somebody waits, and what makes them give up. */
export interface Patience {
  /** The moment by `performance.now()` at which error 1222 comes; absent means never. */
  readonly until?: number;
  readonly signal?: AbortSignal;
}

/** Somebody who waits for a place. */
interface Waiting<Who> {
  readonly who: Who;
  readonly go: () => void;
}

/** Those who wait for a place, in the order in which they came. */
export class Queue<Who> {
  readonly #waiting: Waiting<Who>[] = [];

  get length(): number {
    return this.#waiting.length;
  }

  /** Resolves when somebody's turn has come. */
  async wait({ until, signal }: Patience, who: Who): Promise<void> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { who, go: resolve };
    const leave = (reason: unknown) => {
      const index = this.#waiting.indexOf(waiting);
      if (index >= 0) this.#waiting.splice(index, 1);
      reject(reason);
    };
    const abort = () => leave(signal?.reason);
    const timer =
      until === undefined ? undefined : setTimeout(() => leave(sqlError(1222)), Math.max(0, until - performance.now()));
    signal?.addEventListener('abort', abort, { once: true });
    this.#waiting.push(waiting);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Lets the one in whose `rank` is lowest, of equals the first to come, and says who; undefined when nobody has one. */
  next(rank: (who: Who) => number | undefined): Who | undefined {
    let chosen: Waiting<Who> | undefined;
    let lowest = Number.POSITIVE_INFINITY;
    for (const waiting of this.#waiting) {
      const own = rank(waiting.who) ?? Number.POSITIVE_INFINITY;
      if (own < lowest) [chosen, lowest] = [waiting, own];
    }
    if (chosen === undefined) return undefined;
    this.#waiting.splice(this.#waiting.indexOf(chosen), 1);
    chosen.go();
    return chosen.who;
  }

  /** True when somebody waits who is such. */
  some(isSuch: (who: Who) => boolean): boolean {
    return this.#waiting.some(({ who }) => isSuch(who));
  }
}

/** Hands out a number of places, first come first served. */
export class Slots {
  readonly #queue = new Queue<true>();
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** How many wait for a place. */
  get waiting(): number {
    return this.#queue.length;
  }

  async take(patience: Patience): Promise<void> {
    patience.signal?.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#queue.wait(patience, true);
  }

  give(): void {
    if (this.#queue.next(alike) === undefined) this.#free += 1;
  }
}

const alike = (): number => 0;
