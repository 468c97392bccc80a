/** The part of the places that one login may have. */
const loginShare = 3 / 4;

/** A number of places, of which no login has all. */
export class GateRoom {
  readonly #most: number;
  readonly #share: number;
  readonly #byLogin = new Map<string, number>();
  #open = 0;

  constructor(most: number) {
    this.#most = most;
    this.#share = Math.max(1, Math.floor(most * loginShare));
  }

  hasPlaceFor(login: string): boolean {
    return this.#open < this.#most && (this.#byLogin.get(login) ?? 0) < this.#share;
  }

  enter(login: string): void {
    this.#change(login, 1);
  }

  leave(login: string): void {
    this.#change(login, -1);
  }

  #change(login: string, change: 1 | -1): void {
    this.#open += change;
    // Where there is no end of places nobody's are counted.
    if (this.#most === Number.POSITIVE_INFINITY) return;
    const now = (this.#byLogin.get(login) ?? 0) + change;
    if (now > 0) this.#byLogin.set(login, now);
    else this.#byLogin.delete(login);
  }
}
