import { Tally } from '../base/log/tally.ts';

/** Bytes, about, that one login may hold, and all together. */
interface Limits {
  readonly ofLogin: number;
  readonly all: number;
}

/**
 * Memory that requests share, such as for bodies or for answers: each is held whole until its response has gone,
 * however slowly that is read.
 */
export class Room {
  readonly #most: Limits;
  readonly #ofLogin = new Tally<string>();
  #taken = 0;

  constructor(most: Limits) {
    this.#most = most;
  }

  get taken(): number {
    return this.#taken;
  }

  /** For one request: reserves this many more bytes if there is room; all are released when it is `over`. */
  forRequest(login: string, over: AbortSignal): (bytes: number) => boolean {
    let held = 0;
    const change = (bytes: number) => {
      held += bytes;
      this.#taken += bytes;
      this.#ofLogin.change(login, bytes);
    };
    over.addEventListener('abort', () => change(-held), { once: true });
    return (bytes) => {
      const isRoom =
        !over.aborted && this.#taken + bytes <= this.#most.all && this.#ofLogin.of(login) + bytes <= this.#most.ofLogin;
      if (isRoom) change(bytes);
      return isRoom;
    };
  }
}
