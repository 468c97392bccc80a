import { sqlError } from '../../../base/messages/sql-error.ts';

/** How long a caller waits, and what makes it give up. */
export interface Patience {
  /** The time (`performance.now()`) at which error 1222 is raised; never if absent. */
  readonly until?: number;
  readonly signal?: AbortSignal;
}

/** A caller that waits for a slot. */
interface Waiting<Who> {
  readonly who: Who;
  readonly go: () => void;
}

/** The callers that wait for a slot, in order of arrival. */
export class Queue<Who> {
  readonly #waiting: Waiting<Who>[] = [];

  get length(): number {
    return this.#waiting.length;
  }

  /** Resolves when it is the caller's turn. */
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

  /**
   * Admits the waiter with the lowest `rank`, the earliest among equals, and returns it; undefined if none has a rank.
   */
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

  /** True if any waiter satisfies the condition. */
  some(isSuch: (who: Who) => boolean): boolean {
    return this.#waiting.some(({ who }) => isSuch(who));
  }
}

/** Hands out a number of slots, first come first served. */
export class Slots {
  readonly #queue = new Queue<true>();
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** The number of waiters. */
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
