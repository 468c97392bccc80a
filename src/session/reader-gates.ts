import type { Log } from '../base/log.ts';
import { sqlError } from '../base/sql-error.ts';
import type { Database } from '../engine/db.ts';

/** A session that reads. */
export interface Reader {
  readonly login: string;
  readonly spid: number;
  /** Since when its client has not read what was sent, by `performance.now()`; undefined while it reads. */
  stalledSince(): number | undefined;
  /** Ends it. */
  cut(): void;
  /** Where several requests of it take turns: lets the others run while one waits. */
  readonly aside?: <T>(wait: () => Promise<T>) => Promise<T>;
}

/** How long a reader waits. */
export interface ReaderPatience {
  /** Milliseconds, -1 for ever. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** The part of a database's snapshots that one login may hold. */
const loginShare = 3 / 4;

/** Milliseconds after which a reader whose client has stalled gives way to one that waits. */
const stallGrace = 2000;

interface Waiting {
  readonly reader: Reader;
  readonly enter: () => void;
}

/**
 * Lets readers at the snapshots of one database: a few logins, or clients that do not read what they asked for, must not
 * have them all. Who waits makes the reader leave whose client has stalled for longest.
 */
class ReaderGate {
  readonly #database: Database;
  readonly #log: Log;
  readonly #inside = new Map<Reader, number>();
  readonly #byLogin = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  #open = 0;
  #relief: NodeJS.Timeout | undefined;

  constructor(database: Database, log: Log) {
    this.#database = database;
    this.#log = log;
  }

  /** Undefined when the reader is in, else a promise of that; rejects with 1222 when its time is over. */
  enter(reader: Reader, patience: ReaderPatience): Promise<void> | undefined {
    // Who reads already and waits for itself would wait for ever.
    if (this.#inside.has(reader) || this.#hasRoom(reader)) {
      this.#let(reader);
      return undefined;
    }
    return this.#wait(reader, patience);
  }

  leave(reader: Reader): void {
    this.#open -= 1;
    count(this.#inside, reader, -1);
    count(this.#byLogin, reader.login, -1);
    const next = this.#waiting.findIndex((waiting) => this.#hasRoom(waiting.reader));
    if (next < 0) return;
    const [waiting] = this.#waiting.splice(next, 1);
    if (waiting === undefined) return;
    this.#let(waiting.reader);
    waiting.enter();
  }

  #hasRoom({ login }: Reader): boolean {
    const { mostReaders } = this.#database;
    const share = Math.max(1, Math.floor(mostReaders * loginShare));
    return this.#open < mostReaders && (this.#byLogin.get(login) ?? 0) < share;
  }

  #let(reader: Reader): void {
    this.#open += 1;
    count(this.#inside, reader, 1);
    count(this.#byLogin, reader.login, 1);
  }

  #wait(reader: Reader, { timeout, signal }: ReaderPatience): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const settle = (end: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      const at = this.#waiting.indexOf(waiting);
      if (at >= 0) this.#waiting.splice(at, 1);
      end();
    };
    const waiting: Waiting = { reader, enter: () => settle(resolve) };
    const cancel = () => settle(() => reject(signal.reason));
    const timer = timeout < 0 ? undefined : setTimeout(() => settle(() => reject(sqlError(1222))), timeout);
    signal.addEventListener('abort', cancel, { once: true });
    this.#waiting.push(waiting);
    this.#relieve();
    return promise;
  }

  /** Makes stalled readers leave, one for each that waits, now and as long as somebody waits. */
  #relieve(): void {
    clearTimeout(this.#relief);
    this.#relief = undefined;
    if (this.#waiting.length === 0) return;
    const now = performance.now();
    const stalled = [...this.#inside.keys()]
      .map((reader) => ({ reader, since: reader.stalledSince() ?? now }))
      .filter(({ since }) => now - since >= stallGrace)
      .sort((a, b) => a.since - b.since);
    for (const { reader, since } of stalled.slice(0, this.#waiting.length)) {
      this.#log.warn('a client that does not read was cut off, others wait for its snapshot', {
        session: reader.spid,
        login: reader.login,
        database: this.#database.name,
        stalled: Math.round(now - since),
      });
      reader.cut();
    }
    this.#relief = setTimeout(() => this.#relieve(), stallGrace / 4).unref();
  }
}

function count<K>(counts: Map<K, number>, key: K, change: number): void {
  const now = (counts.get(key) ?? 0) + change;
  if (now > 0) counts.set(key, now);
  else counts.delete(key);
}

/** The gates of all databases. */
export class ReaderGates {
  readonly #gates = new WeakMap<Database, ReaderGate>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Reads when the reader's turn has come. */
  async read<T>(database: Database, reader: Reader, patience: ReaderPatience, read: () => Promise<T>): Promise<T> {
    let gate = this.#gates.get(database);
    if (gate === undefined) {
      gate = new ReaderGate(database, this.#log);
      this.#gates.set(database, gate);
    }
    const waiting = gate.enter(reader, patience);
    if (waiting) await (reader.aside === undefined ? waiting : reader.aside(() => waiting));
    try {
      return await read();
    } finally {
      gate.leave(reader);
    }
  }
}
