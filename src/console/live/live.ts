import type { Frame } from '../event-stream.ts';
import { Pace } from './pace.ts';
import { type Follower, Show, type Told } from './show.ts';

/** What is being followed: each thing is read once for all followers, and not at all without any. */
export class Live {
  readonly #told: Told;
  readonly #pace = new Pace();
  readonly #shows = new Map<string, Show>();

  constructor(told: Told) {
    this.#told = told;
  }

  /** The result of a read now and whenever it changes, except for the one that was seen last. */
  async *follow(
    key: string,
    every: number,
    look: () => Promise<unknown>,
    last: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<Frame> {
    const show = this.#shows.get(key) ?? new Show(every, this.#told, this.#pace);
    this.#shows.set(key, show);
    let wake = () => {};
    const follower: Follower = { look, wake: () => wake() };
    const stop = () => wake();
    signal.addEventListener('abort', stop);
    show.enter(follower);
    try {
      for (let seen = last; !signal.aborted; ) {
        const { current } = show;
        if (current !== undefined && current.id !== seen) {
          seen = current.id;
          yield current;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (signal.aborted || (show.current !== undefined && show.current.id !== seen)) resolve();
        });
      }
    } finally {
      signal.removeEventListener('abort', stop);
      show.leave(follower);
      if (show.isEmpty && this.#shows.get(key) === show) this.#shows.delete(key);
    }
  }

  /** For a separate read, for instance after an action: followers get it too. */
  beside(key: string): ((text: string) => void) | undefined {
    const show = this.#shows.get(key);
    const look = show?.begin() ?? 0;
    return show && ((text) => show.take(look, text));
  }
}
