import type { Session } from '../session/session.ts';

/**
 * SQL Server reserves the numbers up to 50, and packet headers and @@SPID have no room for higher ones than the last.
 */
const firstId = 51;
const lastId = 32_767;

/** The maximum number of sessions with a number of their own. */
export const sessionCapacity = lastId - firstId + 1;

/** Milliseconds that a stopping server waits for calls in flight; systemd would kill it after 90 seconds. */
const longestDrain = 30_000;

/** The sessions of one address. */
interface Crowd {
  count: number;
  /** Those that have not sent anything yet, and those that have but are not logged in; the oldest first. */
  readonly silent: Set<Session>;
  readonly strangers: Set<Session>;
}

/** The current sessions, each under its own number. */
export class SessionTable {
  readonly #sessions = new Map<number, Session>();
  readonly #addresses = new Map<string, Crowd>();
  #last = firstId - 1;

  get size(): number {
    return this.#sessions.size;
  }

  /** A free session number; numbers are assigned in rotation. There must be fewer sessions than `sessionCapacity`. */
  nextId(): number {
    do this.#last = this.#last >= lastId ? firstId : this.#last + 1;
    while (this.#sessions.has(this.#last));
    return this.#last;
  }

  /** The number of sessions from an address. */
  ofAddress(address: string): number {
    return this.#addresses.get(address)?.count ?? 0;
  }

  /** Adds a session that is not logged in yet. */
  add(session: Session, address: string): void {
    this.#sessions.set(session.spid, session);
    const from = this.#addresses.get(address) ?? { count: 0, silent: new Set(), strangers: new Set() };
    this.#addresses.set(address, from);
    from.count += 1;
    from.silent.add(session);
  }

  /** Records that a client has sent something. */
  hear(session: Session, address: string): void {
    const from = this.#addresses.get(address);
    if (from?.silent.delete(session)) from.strangers.add(session);
  }

  /** Records that a client has logged in. */
  admit(session: Session, address: string): void {
    const from = this.#addresses.get(address);
    from?.silent.delete(session);
    from?.strangers.delete(session);
  }

  delete(session: Session, address: string): void {
    if (this.#sessions.get(session.spid) !== session) return;
    this.#sessions.delete(session.spid);
    const from = this.#addresses.get(address);
    if (from === undefined) return;
    from.count -= 1;
    from.silent.delete(session);
    from.strangers.delete(session);
    if (from.count === 0) this.#addresses.delete(address);
  }

  /**
   * Makes room by closing the oldest session that has not sent anything or, if there is none, the oldest that has not
   * logged in: from the given address, or from the one with the most of them. False if all have logged in.
   */
  makeRoom(address?: string): boolean {
    const crowded = address ?? this.#mostStrangers();
    const from = crowded === undefined ? undefined : this.#addresses.get(crowded);
    const [oldest] = from === undefined ? [] : from.silent.size > 0 ? from.silent : from.strangers;
    if (crowded === undefined || oldest === undefined) return false;
    this.delete(oldest, crowded);
    oldest.cut();
    return true;
  }

  #mostStrangers(): string | undefined {
    let most: { readonly address: string; readonly count: number } | undefined;
    for (const [address, { silent, strangers }] of this.#addresses) {
      const count = silent.size + strangers.size;
      if (count > (most?.count ?? 0)) most = { address, count };
    }
    return most?.address;
  }

  all(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  /** Ends every session after its current call, and disconnects those whose call or client does not finish in time. */
  async drain(longest = longestDrain): Promise<void> {
    const ended = Promise.all(this.all().map((session) => session.drain()));
    const timer = setTimeout(() => {
      for (const session of this.all()) session.cut();
    }, longest);
    await ended;
    clearTimeout(timer);
  }
}
