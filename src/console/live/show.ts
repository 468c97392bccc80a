import { createHash } from 'node:crypto';
import type { Frame } from '../event-stream.ts';
import type { Pace } from './pace.ts';

/** Somebody who follows a show. */
export interface Follower {
  /** Reads again, with the rights of this follower. */
  look(): Promise<unknown>;
  /** Something new is to be shown. */
  wake(): void;
}

/** The exception of a read, as followers are told. */
export type Told = (thrown: unknown) => unknown;

/** One followed thing: read once for all followers, at an interval while there are any. */
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

  /** The last result. */
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

  /** The number of a read that begins now; the result of an older one is not shown after that of a newer one. */
  begin(): number {
    return ++this.#looks;
  }

  /** Takes what a look brought, as JSON. */
  take(look: number, text: string, event?: string): void {
    if (look < this.#shown) return;
    this.#shown = look;
    if (text === this.#current?.text && event === this.#current.event) return;
    // Identified by its content: a client that reconnects with it, even after a restart, has seen it.
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
      // The follower whose connection was used may have left meanwhile: the next one reads.
      if (!this.#followers.has(follower)) return this.#look();
      this.take(look, JSON.stringify(this.#told(thrown)), 'fault');
    }
    clearTimeout(this.#timer);
    if (this.isEmpty) return;
    const pause = this.#pace.pause(this, this.#every, performance.now() - began);
    this.#timer = setTimeout(() => void this.#look(), pause).unref();
  }
}
