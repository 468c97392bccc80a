import type { Session } from '../session/session.ts';

/** SQL Server keeps the numbers up to 50 for itself; packet headers and @@SPID have room for no more than the last. */
const firstId = 51;
const lastId = 32_767;

/** How many sessions can have a number of their own. */
export const sessionCapacity = lastId - firstId + 1;

/** Milliseconds that a stopping server waits for the calls in flight; systemd would kill it after 90 seconds. */
const longestDrain = 30_000;

/** The sessions that are there now, each under its own number. */
export class SessionTable {
  readonly #sessions = new Map<number, Session>();
  #last = firstId - 1;

  get size(): number {
    return this.#sessions.size;
  }

  /** A number that no session has; it goes round. There must be fewer sessions than `sessionCapacity`. */
  nextId(): number {
    do this.#last = this.#last >= lastId ? firstId : this.#last + 1;
    while (this.#sessions.has(this.#last));
    return this.#last;
  }

  add(session: Session): void {
    this.#sessions.set(session.spid, session);
  }

  delete(session: Session): void {
    this.#sessions.delete(session.spid);
  }

  all(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  /** Ends every session after the call that it is in, and cuts off those whose call or client does not come to an end. */
  async drain(longest = longestDrain): Promise<void> {
    const ended = Promise.all(this.all().map((session) => session.drain()));
    const timer = setTimeout(() => {
      for (const session of this.all()) session.cut();
    }, longest);
    await ended;
    clearTimeout(timer);
  }
}
