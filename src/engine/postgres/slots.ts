import { sqlError } from '../../base/sql-error.ts';

/** How long somebody waits, and what makes them give up. */
export interface Patience {
  /** The moment by `performance.now()` at which error 1222 comes; absent means never. */
  readonly until?: number;
  readonly signal?: AbortSignal;
}

/** Hands out a number of places, first come first served. */
export class Slots {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** How many wait for a place. */
  get waiting(): number {
    return this.#waiting.length;
  }

  async take({ until, signal }: Patience): Promise<void> {
    signal?.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (reason: unknown) => {
      const index = this.#waiting.indexOf(resolve);
      if (index >= 0) this.#waiting.splice(index, 1);
      reject(reason);
    };
    const abort = () => leave(signal?.reason);
    const timer =
      until === undefined ? undefined : setTimeout(() => leave(sqlError(1222)), Math.max(0, until - performance.now()));
    signal?.addEventListener('abort', abort, { once: true });
    this.#waiting.push(resolve);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
