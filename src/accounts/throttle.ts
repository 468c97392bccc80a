import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';

/** How guessing is slowed down; all times in milliseconds. */
export interface ThrottleRules {
  /** Failures that cost nothing: people mistype. */
  readonly free: number;
  /** The first delay; each further failure doubles it. */
  readonly first: number;
  /** The longest delay: shorter than a driver's login timeout, so that the right password always gets in. */
  readonly longest: number;
  /** Failures are forgotten when none has come for so long. */
  readonly forget: number;
  /** Attempts that may wait behind each other; more are refused unseen. */
  readonly waiting: number;
  /** Guessers that are remembered at once. */
  readonly capacity: number;
}

export const defaultThrottle: ThrottleRules = {
  free: 3,
  first: 250,
  longest: 8_000,
  forget: 15 * 60_000,
  waiting: 64,
  capacity: 10_000,
};

interface Guesser {
  failures: number;
  lastFailure: number;
  waiting: number;
  /** Settles when the attempt before the next one is over. */
  turn: Promise<unknown>;
}

/**
 * Lets the attempts of one guesser (a login and an address) through one at a time, each failure making the next
 * wait longer. It lives in memory: what is stored would let a stranger fill the disk.
 */
export class Throttle {
  readonly #clock: Clock;
  readonly #rules: ThrottleRules;
  readonly #wait: (milliseconds: number) => Promise<unknown>;
  readonly #guessers = new Map<string, Guesser>();

  constructor(
    clock: Clock,
    rules: ThrottleRules = defaultThrottle,
    wait: (milliseconds: number) => Promise<unknown> = (milliseconds) => sleep(milliseconds, undefined, { ref: false }),
  ) {
    this.#clock = clock;
    this.#rules = rules;
    this.#wait = wait;
  }

  /** Runs an attempt when its turn has come; undefined means failure, also when too many wait already. */
  async attempt<T>(name: string, work: () => Promise<T | undefined>, signal?: AbortSignal): Promise<T | undefined> {
    const known = this.#known(name);
    if (known.waiting >= this.#rules.waiting && known.failures > 0) return undefined;
    known.waiting += 1;
    const turn = known.turn.then(() => this.#inTurn(known, work, signal));
    known.turn = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      known.waiting -= 1;
      if (known.waiting === 0 && known.failures === 0) this.#guessers.delete(name);
    }
  }

  async #inTurn<T>(
    known: Guesser,
    work: () => Promise<T | undefined>,
    signal: AbortSignal | undefined,
  ): Promise<T | undefined> {
    // An attempt whose client has hung up must not keep those behind it waiting.
    if (signal?.aborted) return undefined;
    const delay = this.#delay(known);
    // The machine's clock may be set back; nobody waits longer than the rules say.
    const wait = Math.min(delay, delay - (this.#now() - known.lastFailure));
    if (wait > 0) await this.#wait(wait);
    const result = await work();
    if (result === undefined) {
      known.failures += 1;
      known.lastFailure = this.#now();
    } else {
      known.failures = 0;
    }
    return result;
  }

  #delay({ failures }: Guesser): number {
    const { free, first, longest } = this.#rules;
    if (failures < free) return 0;
    return Math.min(longest, first * 2 ** Math.min(failures - free, 30));
  }

  #known(name: string): Guesser {
    const found = this.#guessers.get(name);
    if (found !== undefined) {
      if (found.waiting === 0 && this.#isForgotten(found)) found.failures = 0;
      return found;
    }
    if (this.#guessers.size >= this.#rules.capacity) this.#makeRoom();
    const known: Guesser = { failures: 0, lastFailure: 0, waiting: 0, turn: Promise.resolve() };
    this.#guessers.set(name, known);
    return known;
  }

  #makeRoom(): void {
    const idle = [...this.#guessers].filter(([, known]) => known.waiting === 0);
    const stale = idle.filter(([, known]) => this.#isForgotten(known));
    // A stranger who invents names pushes out the longest remembered, not everybody.
    const leaving = stale.length > 0 ? stale : idle.slice(0, Math.ceil(idle.length / 10));
    for (const [name] of leaving) this.#guessers.delete(name);
  }

  #isForgotten({ lastFailure }: Guesser): boolean {
    return this.#now() - lastFailure > this.#rules.forget;
  }

  #now(): number {
    return this.#clock.now().getTime();
  }
}
