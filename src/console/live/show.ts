import { createHash } from 'node:crypto';
import type { Frame } from '../event-stream.ts';
import type { Pace } from './pace.ts';

/** Somebody who follows a show. */
export interface Follower {
  /** Looks anew, with what this follower may see. */
  look(): Promise<unknown>;
  /** Something new is to be shown. */
  wake(): void;
}

/** What is thrown by a look, as those who follow are told. */
export type Told = (thrown: unknown) => unknown;

/** One thing that some follow: looked at once for all of them, every so many milliseconds while there are any. */
export class Show {
  readonly #every: number;
  readonly #told: Told;
  readonly #pace: Pace;
  readonly #followers = new Set<Follower>();
  #current: Frame | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looks = 0;
  #shown = 0;

  constructor(every: number, told: Told, pace: Pace) {
    this.#every = every;
    this.#told = told;
    this.#pace = pace;
  }

  /** What was seen last. */
  get current(): Frame | undefined {
    return this.#current;
  }

  get isEmpty(): boolean {
    return this.#followers.size === 0;
  }

  enter(follower: Follower): void {
    this.#followers.add(follower);
    if (this.#followers.size === 1) void this.#look();
  }

  leave(follower: Follower): void {
    this.#followers.delete(follower);
    if (!this.isEmpty) return;
    clearTimeout(this.#timer);
    this.#pace.forget(this);
  }

  /** The number of a look that begins now; what an older look brings is not shown behind what a newer one brought. */
  begin(): number {
    return ++this.#looks;
  }

  /** Takes what a look brought, as JSON. */
  take(look: number, text: string, event?: string): void {
    if (look < this.#shown) return;
    this.#shown = look;
    if (text === this.#current?.text && event === this.#current.event) return;
    // Told by its content: who comes back with it, even after a restart, has seen it.
    const id = createHash('sha256').update(`${event}\0${text}`).digest('base64url').slice(0, 16);
    this.#current = { id, text, ...(event === undefined ? {} : { event }) };
    for (const follower of this.#followers) follower.wake();
  }

  async #look(): Promise<void> {
    const [follower] = this.#followers;
    if (follower === undefined) return;
    const look = this.begin();
    const began = performance.now();
    try {
      this.take(look, JSON.stringify(await follower.look()));
    } catch (thrown) {
      // Whoever looked for all may have left in the midst of it, and its connection with it: the next one looks.
      if (!this.#followers.has(follower)) return this.#look();
      this.take(look, JSON.stringify(this.#told(thrown)), 'fault');
    }
    clearTimeout(this.#timer);
    if (this.isEmpty) return;
    const pause = this.#pace.pause(this, this.#every, performance.now() - began);
    this.#timer = setTimeout(() => void this.#look(), pause).unref();
  }
}
