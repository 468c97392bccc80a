import { Tally } from '../../../base/log/tally.ts';
import { type Patience, Queue } from './slots.ts';

/** The share of all connections that may be held by uses whose duration depends on a client or a long statement. */
const lastingShare = 3 / 4;

/**
 * What a connection is for: the server's `own` work never waits; `brief` uses return it at once; `lasting` uses may
 * hold it for as long as a client reads or keeps its transaction open.
 */
export type Purpose = 'own' | 'brief' | 'lasting';

/** A pool, as the connection limit sees it. */
export interface ConnectionHolder {
  /** The database of the pool. */
  readonly schema: string;
  readonly purpose: Purpose;
  /**
   * The time (`performance.now()`) since which its longest-idle connection has been idle; undefined if none is idle.
   */
  readonly restingSince: number | undefined;
  /** Closes that connection. */
  letGo(): void;
}

/**
 * Enforces the limit on the connections of all databases to one PostgreSQL. When it is reached, the connection that has
 * been idle longest is closed; if none is idle the caller waits, and the database with the fewest connections is served
 * first, so that nobody who uses many databases takes them all.
 */
export class Connections {
  readonly #most: number;
  readonly #mostLasting: number;
  readonly #holders = new Set<ConnectionHolder>();
  readonly #bySchema = new Tally<string>();
  readonly #queue = new Queue<ConnectionHolder>();
  #open = 0;
  #lasting = 0;

  constructor(most: number) {
    this.#most = most;
    this.#mostLasting = Math.max(1, Math.floor(most * lastingShare));
  }

  add(holder: ConnectionHolder): void {
    this.#holders.add(holder);
  }

  remove(holder: ConnectionHolder): void {
    this.#holders.delete(holder);
  }

  /** True if a waiter could use a connection that this holder releases. */
  isWanted(holder: ConnectionHolder): boolean {
    if (this.#queue.length === 0) return false;
    if (holder.purpose === 'lasting') return true;
    if (this.#open < this.#most) return false;
    return this.#lasting < this.#mostLasting || this.#queue.some(({ purpose }) => purpose === 'brief');
  }

  /** Resolves when one more connection may be opened, which is then counted. */
  async enter(holder: ConnectionHolder, patience: Patience): Promise<void> {
    if (this.#hasRoom(holder)) return this.#count(holder, 1);
    const turn = this.#queue.wait(patience, holder);
    this.#closeResting();
    await turn;
  }

  /** Must be called when a connection was closed. */
  leave(holder: ConnectionHolder): void {
    this.#count(holder, -1);
    const rank = (waiting: ConnectionHolder) =>
      this.#hasRoom(waiting) ? this.#bySchema.of(waiting.schema) : undefined;
    let next = this.#queue.next(rank);
    // Closing one connection is not enough if the server is over the limit.
    if (next === undefined && this.#queue.length > 0) this.#closeResting();
    for (; next !== undefined; next = this.#queue.next(rank)) this.#count(next, 1);
  }

  #hasRoom({ purpose }: ConnectionHolder): boolean {
    if (purpose === 'own') return true;
    return this.#open < this.#most && (purpose === 'brief' || this.#lasting < this.#mostLasting);
  }

  #count({ schema, purpose }: ConnectionHolder, change: 1 | -1): void {
    this.#open += change;
    if (purpose === 'lasting') this.#lasting += change;
    this.#bySchema.change(schema, change);
  }

  /** Closes the longest-idle connection among those that a waiter could use. */
  #closeResting(): void {
    let oldest: ConnectionHolder | undefined;
    for (const holder of this.#holders) {
      const { restingSince = Number.POSITIVE_INFINITY } = holder;
      if (restingSince < (oldest?.restingSince ?? Number.POSITIVE_INFINITY) && this.isWanted(holder)) oldest = holder;
    }
    oldest?.letGo();
  }
}
