import { Tally } from '../../base/log/tally.ts';

/** The share of the slots that one login may have. */
const loginShare = 3 / 4;

/** A number of slots, of which no login can have all. */
export class GateRoom {
  readonly #most: number;
  readonly #share: number;
  readonly #byLogin = new Tally<string>();
  #open = 0;

  constructor(most: number) {
    this.#most = most;
    this.#share = Math.max(1, Math.floor(most * loginShare));
  }

  hasPlaceFor(login: string): boolean {
    return this.#open < this.#most && this.#byLogin.of(login) < this.#share;
  }

  enter(login: string): void {
    this.#change(login, 1);
  }

  leave(login: string): void {
    this.#change(login, -1);
  }

  #change(login: string, change: 1 | -1): void {
    this.#open += change;
    // An unlimited number of slots need not be counted.
    if (this.#most !== Number.POSITIVE_INFINITY) this.#byLogin.change(login, change);
  }
}
