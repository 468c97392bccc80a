import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';

/** How guessing is slowed down; all times are in milliseconds. */
interface ThrottleRules {
  /** Free failures of a login from an address: people mistype. */
  readonly free: number;
  /** Free failures of an address under any names. */
  readonly freeOfAddress: number;
  /** The first delay; each further failure doubles it. */
  readonly first: number;
  /** The longest delay. */
  readonly longest: number;
  /** Failures are forgotten after this time without another one. */
  readonly forget: number;
  /** The maximum number of guessers that are remembered. */
  readonly capacity: number;
}

export const defaultThrottle: ThrottleRules = {
  free: 3,
  freeOfAddress: 10,
  first: 250,
  longest: 8_000,
  forget: 15 * 60_000,
  capacity: 10_000,
};

interface Guesser {
  failures: number;
  lastFailure: number;
}

/** A login attempt: the login's name, and the address. */
export interface Comer {
  readonly name: string;
  readonly address: string;
}

/** Waits for some milliseconds, or until the signal is aborted. */
type Wait = (milliseconds: number, signal: AbortSignal) => Promise<unknown>;

/**
 * Delays the answer to a wrong password, the longer the more came before it from the same place; a correct one is
 * answered at once, whatever others guess. It is kept in memory only: stored, it would let a stranger fill the disk.
 */
export class Throttle {
  readonly #clock: Clock;
  readonly #rules: ThrottleRules;
  readonly #wait: Wait;
  readonly #guessers = new Map<string, Guesser>();
  readonly #closing = new AbortController();

  constructor(
    clock: Clock,
    rules: ThrottleRules = defaultThrottle,
    wait: Wait = (milliseconds, signal) => sleep(milliseconds, undefined, { ref: false, signal }).catch(() => {}),
  ) {
    this.#clock = clock;
    this.#rules = rules;
    this.#wait = wait;
  }

  /**
   * Runs an attempt; undefined means failure, which is delayed after too many. Once the signal is aborted nobody waits
   * for the answer: the failure counts, but is not delayed.
   */
  async attempt<T>(comer: Comer, work: () => Promise<T | undefined>, signal?: AbortSignal): Promise<T | undefined> {
    const began = this.#now();
    const result = await work();
    if (result !== undefined) {
      this.#guessers.delete(keyOf(comer));
      return result;
    }
    const { free, freeOfAddress } = this.#rules;
    const delay = Math.max(this.#failed(keyOf(comer), free), this.#failed(comer.address, freeOfAddress));
    // The machine's clock may be set back; the delay must not exceed the rules anyway.
    const wait = Math.min(delay, delay - (this.#now() - began));
    const { signal: closing } = this.#closing;
    if (wait > 0) await this.#wait(wait, signal === undefined ? closing : AbortSignal.any([signal, closing]));
    return undefined;
  }

  /** Ends all delays: the server is stopping. */
  close(): void {
    this.#closing.abort();
  }

  /** True if an address has had so many failures that the next one will be delayed. */
  isSuspect(address: string): boolean {
    const known = this.#guessers.get(address);
    return known !== undefined && !this.#isForgotten(known) && known.failures >= this.#rules.freeOfAddress;
  }

  /** Records a failure; returns the resulting delay. */
  #failed(key: string, free: number): number {
    const known = this.#guessers.get(key);
    const failures = known === undefined || this.#isForgotten(known) ? 1 : known.failures + 1;
    this.#guessers.delete(key);
    this.#guessers.set(key, { failures, lastFailure: this.#now() });
    // A stranger who invents names evicts the entry that has been idle longest.
    for (const oldest of this.#guessers.keys()) {
      if (this.#guessers.size <= this.#rules.capacity) break;
      this.#guessers.delete(oldest);
    }
    if (failures <= free) return 0;
    const { first, longest } = this.#rules;
    return Math.min(longest, first * 2 ** Math.min(failures - free - 1, 30));
  }

  #isForgotten({ lastFailure }: Guesser): boolean {
    return this.#now() - lastFailure > this.#rules.forget;
  }

  #now(): number {
    return this.#clock.now().getTime();
  }
}

const keyOf = ({ name, address }: Comer): string => `${name}\0${address}`;
