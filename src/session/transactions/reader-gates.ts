import type { Log } from '../../base/log/log.ts';
import { sqlError } from '../../base/messages/sql-error.ts';
import type { Database } from '../../engine/db.ts';
import { GateRoom } from './gate-room.ts';

/** A session that reads, or that keeps a snapshot or a transaction. */
export interface Reader {
  readonly login: string;
  readonly spid: number;
  /** Since when its client has not been reading, by `performance.now()`; undefined while it reads. */
  stalledSince(): number | undefined;
  /** Ends it. */
  cut(): void;
  /** What it holds has become too old: ends its request, or its transaction if `what` says so. */
  expire(what: Holding): void;
  /** With MARS: lets its other requests run while one waits. */
  readonly aside?: <T>(wait: () => Promise<T>) => Promise<T>;
}

/** What is held: the snapshot of a statement, or something that ends with a client's transaction. */
export type Holding = 'read' | 'transaction';

/** How long a reader waits. */
export interface ReaderPatience {
  /** Milliseconds, -1 for ever. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** The limits; times are in milliseconds. */
interface GateLimits {
  /** The maximum number of snapshots and transactions of all databases together. */
  readonly mostInAll: number;
  /** How long to wait for a slot. */
  readonly longestWait: number;
  /** How long a slot may be held; 0 means no limit. */
  readonly longestHold: number;
  /** How long a transaction may be held while others wait for it; 0 means no limit. */
  readonly longestBlock: number;
}

/** Milliseconds after which a reader whose client has stalled loses its slot to a waiting one. */
const stallGrace = 2000;

/** Milliseconds that the holder of a slot waits for another one: waiters may hold the slots that they wait for. */
const longestNested = 5000;

/** The maximum interval between two checks of ages, in milliseconds. */
const lookEvery = 10_000;

/** A slot that is taken. */
interface Stay {
  readonly reader: Reader;
  readonly database: Database;
  readonly room: GateRoom;
  readonly holding: Holding;
  /** By `performance.now()`. */
  since: number;
  /** Its index among all stays; -1 if it is not there (any more). */
  at: number;
}

interface Waiting extends Pick<Stay, 'reader' | 'room'> {
  readonly enter: () => void;
}

/**
 * Hands out the snapshots and transactions of databases. A few logins, or clients that do not read their results, must
 * not be able to take them all, and nobody may keep one forever, because the store keeps what others delete for its
 * sake. A waiting reader evicts the one whose client has stalled the longest. A transaction that others wait for ends
 * sooner.
 */
export class ReaderGates {
  readonly #log: Log;
  readonly #limits: GateLimits;
  readonly #all: GateRoom;
  readonly #rooms = new WeakMap<Database, Record<Holding, GateRoom>>();
  /** Unordered: they come and go with every call. */
  readonly #stays: Stay[] = [];
  readonly #waiting: Waiting[] = [];
  #relief: NodeJS.Timeout | undefined;
  #look: NodeJS.Timeout | undefined;
  /** Milliseconds between two checks of ages. */
  readonly #interval: number;

  constructor(log: Log, limits: GateLimits) {
    this.#log = log;
    this.#limits = limits;
    this.#all = new GateRoom(limits.mostInAll);
    const bounds = [limits.longestHold, limits.longestBlock].filter((bound) => bound > 0);
    this.#interval = Math.min(lookEvery, ...bounds.map((bound) => bound / 4));
  }

  /** Runs a read once the reader has a slot. */
  async read<T>(database: Database, reader: Reader, patience: ReaderPatience, read: () => Promise<T>): Promise<T> {
    const stay = this.#stay(database, reader, 'read');
    if (!this.#enter(stay)) await this.#wait(stay, patience);
    try {
      return await read();
    } finally {
      this.#leave(stay);
    }
  }

  /**
   * Opens something that a client's transaction keeps: a snapshot of a database, or a transaction that writes there.
   * `leave` must be called when it has ended.
   */
  async hold<T>(
    database: Database,
    what: 'snapshot' | 'transaction',
    reader: Reader,
    patience: ReaderPatience,
    make: () => Promise<T>,
  ): Promise<{ readonly held: T; leave(): void }> {
    const room = this.#roomsOf(database)[what === 'snapshot' ? 'read' : 'transaction'];
    const stay: Stay = { ...this.#stay(database, reader, 'transaction'), room };
    if (!this.#enter(stay)) await this.#wait(stay, patience);
    const leave = () => {
      if (stay.at >= 0) this.#leave(stay);
    };
    try {
      const held = await make();
      stay.since = performance.now();
      return { held, leave };
    } catch (error) {
      leave();
      throw error;
    }
  }

  #stay(database: Database, reader: Reader, holding: Holding): Stay {
    return { reader, database, room: this.#roomsOf(database)[holding], holding, since: performance.now(), at: -1 };
  }

  #roomsOf(database: Database): Record<Holding, GateRoom> {
    let rooms = this.#rooms.get(database);
    if (rooms === undefined) {
      rooms = { read: new GateRoom(database.mostReaders), transaction: new GateRoom(database.mostTransactions) };
      this.#rooms.set(database, rooms);
    }
    return rooms;
  }

  /** True if there was a free slot. */
  #enter(stay: Stay): boolean {
    if (!this.#hasPlace(stay)) return false;
    stay.room.enter(stay.reader.login);
    this.#all.enter(stay.reader.login);
    stay.at = this.#stays.push(stay) - 1;
    this.#look ??= this.#lookLater();
    return true;
  }

  #hasPlace({ reader, room }: Pick<Stay, 'reader' | 'room'>): boolean {
    // A session that already reads and waited for itself would wait forever.
    return this.#isRoom(reader, room) || this.#has(reader, room);
  }

  #isRoom({ login }: Reader, room: GateRoom): boolean {
    return room.hasPlaceFor(login) && this.#all.hasPlaceFor(login);
  }

  /** The first waiter for whom there is a slot. */
  #nextToEnter(): Waiting | undefined {
    let readers: Set<Reader> | undefined;
    return this.#waiting.find(({ reader, room }) => {
      if (this.#isRoom(reader, room)) return true;
      // Collected once for all of them: thousands may be waiting next to hundreds of readers.
      readers ??= new Set(this.#stays.map((stay) => stay.reader));
      return readers.has(reader) && this.#has(reader, room);
    });
  }

  /** True for a reader that has a slot, or one for this very database. */
  #has(reader: Reader, room?: GateRoom): boolean {
    for (const stay of this.#stays) if (stay.reader === reader && (room ?? stay.room) === stay.room) return true;
    return false;
  }

  #leave(stay: Stay): void {
    const last = this.#stays.pop();
    if (last !== undefined && last !== stay) {
      last.at = stay.at;
      this.#stays[stay.at] = last;
    }
    stay.at = -1;
    stay.room.leave(stay.reader.login);
    this.#all.leave(stay.reader.login);
    if (this.#waiting.length > 0) this.#nextToEnter()?.enter();
  }

  /** Resolves when the reader has a slot; rejects with 1222 after its timeout. */
  #wait(stay: Stay, patience: ReaderPatience): Promise<void> {
    const { reader } = stay;
    const entered = this.#entered(stay, patience);
    return reader.aside === undefined ? entered : reader.aside(() => entered);
  }

  #entered(stay: Stay, { timeout, signal }: ReaderPatience): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const settle = (end: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      end();
    };
    const enter = () =>
      settle(() => {
        this.#enter(stay);
        resolve();
      });
    const waiting: Waiting = { reader: stay.reader, room: stay.room, enter };
    const cancel = () => settle(() => reject(signal.reason));
    const longest = this.#has(stay.reader) ? longestNested : this.#limits.longestWait;
    const most = timeout < 0 ? longest : Math.min(timeout, longest);
    const timer = setTimeout(() => settle(() => reject(sqlError(1222))), most).unref();
    signal.addEventListener('abort', cancel, { once: true });
    this.#waiting.push(waiting);
    this.#relieve();
    return promise;
  }

  /** Evicts stalled readers, one for each waiter, now and for as long as somebody is waiting. */
  #relieve(): void {
    clearTimeout(this.#relief);
    this.#relief = undefined;
    if (this.#waiting.length === 0) return;
    const now = performance.now();
    const stalled = this.#stays
      .map((stay) => ({ stay, since: stay.reader.stalledSince() ?? now }))
      .filter(({ since }) => now - since >= stallGrace)
      .sort((a, b) => a.since - b.since);
    for (const { reader, room } of this.#waiting) {
      // If its own database has a free slot, the limit for all databases together is exhausted.
      const at = stalled.findIndex(({ stay }) => room.hasPlaceFor(reader.login) || stay.room === room);
      const [found] = at < 0 ? [] : stalled.splice(at, 1);
      if (found !== undefined) this.#cut(found.stay, now - found.since);
    }
    this.#relief = setTimeout(() => this.#relieve(), stallGrace / 4).unref();
  }

  #cut({ reader, database }: Stay, stalled: number): void {
    this.#log.warn('a client that does not read its results was disconnected, others wait for its snapshot', {
      session: reader.spid,
      login: reader.login,
      database: database.name,
      stalled: Math.round(stalled),
    });
    reader.cut();
  }

  #lookLater(): NodeJS.Timeout {
    return setTimeout(() => {
      this.#expire()
        .catch((error: unknown) => this.#log.warn('lock waits could not be checked', { error: String(error) }))
        .finally(() => {
          this.#look = this.#stays.length > 0 ? this.#lookLater() : undefined;
        });
    }, this.#interval).unref();
  }

  /** Ends what has been held too long, with the shorter limit for transactions that others wait for. */
  async #expire(): Promise<void> {
    const { longestHold, longestBlock } = this.#limits;
    const now = performance.now();
    const olderThan = (bound: number): Stay[] =>
      bound === 0 ? [] : this.#stays.filter(({ since }) => now - since >= bound);
    for (const stay of olderThan(longestHold)) this.#end(stay, 'it had lasted for too long');
    const old = olderThan(longestBlock).filter(({ holding }) => holding === 'transaction');
    for (const [database, stays] of Map.groupBy(old, (stay) => stay.database)) {
      const blockers = new Set((await database.waits()).map(({ blockedBy }) => blockedBy));
      for (const stay of stays)
        if (stay.at >= 0 && blockers.has(stay.reader.spid)) this.#end(stay, 'others had to wait for too long');
    }
  }

  #end(stay: Stay, why: string): void {
    const { reader, database, holding } = stay;
    const fields = { session: reader.spid, login: reader.login, database: database.name };
    this.#log.warn(`a ${holding} was ended, ${why}`, fields);
    // It may take a while to end; it is checked again later.
    stay.since = performance.now();
    reader.expire(holding);
  }
}
