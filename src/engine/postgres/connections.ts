import { Tally } from '../../base/tally.ts';
import { type Patience, Queue } from './slots.ts';

/** The part of all connections that may be held by what takes as long as its client likes, or its statements do. */
const lastingShare = 3 / 4;

/**
 * What a connection is for: the server's own matters never wait; what is brief gives its connection back in a moment;
 * what lasts may hold it for as long as a client reads, or keeps its transaction open.
 */
export type Purpose = 'own' | 'brief' | 'lasting';

/** A pool, as the count of all connections sees it. */
export interface ConnectionHolder {
  /** The database that it is for. */
  readonly schema: string;
  readonly purpose: Purpose;
  /** Since when its connection rests that has rested longest, by `performance.now()`; undefined when none does. */
  readonly restingSince: number | undefined;
  /** Closes that connection. */
  letGo(): void;
}

/**
 * Counts the connections of all databases to one PostgreSQL, which has a limit for everybody. Where there is no room the
 * connection that has rested longest is closed; where none rests one has to wait, and the database that has fewest
 * comes first, so that nobody who works in many takes them all.
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

  /** True when somebody waits who could have a connection of this holder's in place of it. */
  isWanted(holder: ConnectionHolder): boolean {
    if (this.#queue.length === 0) return false;
    if (holder.purpose === 'lasting') return true;
    if (this.#open < this.#most) return false;
    return this.#lasting < this.#mostLasting || this.#queue.some(({ purpose }) => purpose === 'brief');
  }

  /** Resolves when one more may be opened, which is then counted. */
  async enter(holder: ConnectionHolder, patience: Patience): Promise<void> {
    if (this.#hasRoom(holder)) return this.#count(holder, 1);
    const turn = this.#queue.wait(patience, holder);
    this.#closeResting();
    await turn;
  }

  /** One was closed. */
  leave(holder: ConnectionHolder): void {
    this.#count(holder, -1);
    const rank = (waiting: ConnectionHolder) =>
      this.#hasRoom(waiting) ? this.#bySchema.of(waiting.schema) : undefined;
    let next = this.#queue.next(rank);
    // One is not enough where the server itself has taken more than there are.
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

  /** Closes the connection that has rested longest of those that somebody who waits could have. */
  #closeResting(): void {
    let oldest: ConnectionHolder | undefined;
    for (const holder of this.#holders) {
      const { restingSince = Number.POSITIVE_INFINITY } = holder;
      if (restingSince < (oldest?.restingSince ?? Number.POSITIVE_INFINITY) && this.isWanted(holder)) oldest = holder;
    }
    oldest?.letGo();
  }
}
