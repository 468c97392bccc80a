import type { Session } from '../session/session.ts';

/** SQL Server keeps the numbers up to 50 for itself. */
const firstId = 51;
const lastId = 32767;

/** The sessions that are there now, each under its own number. */
export class SessionTable {
  readonly #sessions = new Map<number, Session>();
  #last = firstId - 1;

  get size(): number {
    return this.#sessions.size;
  }

  /** A number that no session has; it goes round, as packet headers carry 16 bits of it. */
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

  /** Ends every session after the call that it is in. */
  async drain(): Promise<void> {
    await Promise.all(this.all().map((session) => session.drain()));
  }
}
