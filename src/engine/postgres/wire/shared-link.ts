import type { Pool } from '../connect/pool.ts';
import type { Link } from './link.ts';

/**
 * One connection for successive transactions: the next is sent while the commit of the previous one is in progress, so
 * that PostgreSQL goes from one to the next without waiting for this process.
 */
export class SharedLink {
  readonly #pool: Pool;
  #link: Promise<Link> | undefined;
  #users = 0;
  /** Resolves when the most recent user has sent its last message. */
  #turn: Promise<void> = Promise.resolve();
  /** Resolves when all users have ended. */
  #ended: Promise<void> = Promise.resolve();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Runs a transaction in its turn. It calls `passOn` after its last message; otherwise the next waits for its end. */
  async use<T>(work: (link: Link, passOn: () => void) => Promise<T>): Promise<T> {
    const [before, ended] = [this.#turn, this.#ended];
    const { promise, resolve: passOn } = Promise.withResolvers<void>();
    const { promise: end, resolve: over } = Promise.withResolvers<void>();
    this.#turn = promise;
    this.#ended = end;
    this.#users++;
    try {
      await before;
      if (this.#pool.isWanted) await this.#giveWay(ended);
      this.#link ??= this.#pool.take({});
      return await work(await this.#link, passOn);
    } finally {
      this.#users--;
      await this.#release();
      passOn();
      void ended.then(over);
    }
  }

  /** Lets another database have the connection as soon as earlier transactions have ended, and waits for a new one. */
  async #giveWay(ended: Promise<void>): Promise<void> {
    await ended;
    const link = await this.#link?.catch(() => undefined);
    this.#link = undefined;
    if (link !== undefined) this.#pool.giveBack(link, link.broken);
  }

  /** Releases the connection when nobody uses it, or at once if it broke or could not be opened. */
  async #release(): Promise<void> {
    const taken = this.#link;
    const link = await taken?.catch(() => undefined);
    if (taken !== this.#link || (this.#users > 0 && link?.broken === false)) return;
    this.#link = undefined;
    if (link !== undefined) this.#pool.giveBack(link, link.broken);
  }
}
