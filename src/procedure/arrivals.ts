import type { Clock } from '../base/clock.ts';
import { Tally } from '../base/log/tally.ts';
import { SqlError } from '../base/messages/sql-error.ts';
import { currentWorker } from '../base/threads/rota.ts';
import type { Database } from '../engine/db.ts';
import type { Sql } from '../engine/sql.ts';
import { int } from '../tds/types/index.ts';

/**
 * What is awaited: a query with the single column `One` that returns a row once the work exists. Identified by the
 * object itself.
 */
export type Awaited = (now: Date) => Sql;

/** How waits are bounded. */
interface ArrivalsOptions {
  readonly clock: Clock;
  /** The maximum number of waiting calls. */
  readonly most?: number;
  /** Milliseconds between two polls for work added by other processes on the same data. */
  readonly interval?: number;
}

interface Waiter {
  /** True when its time has elapsed: it still gets the result of a poll that is under way. */
  isOver: boolean;
  settle(isThere: boolean): void;
  fail(error: unknown): void;
}

/** The calls that wait for the same thing in the same database: one poll serves all of them. */
interface Company {
  readonly database: Database;
  readonly awaited: Awaited;
  readonly waiters: Set<Waiter>;
  isLooking: boolean;
  /** True if work arrived, or another call came, during a poll. */
  again: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** Polling takes at most this fraction of the time: 1/20. */
const restAfterLook = 20;

/** The share of the slots that one login may have. */
const shareOfLogin = 3 / 4;

/** Error 50102: too many calls are waiting. */
const tooMany = (most: number): SqlError =>
  new SqlError(50102, `${most} calls are already waiting for work; no more can wait on this server.`, { severity: 17 });

/**
 * Calls that wait for work to arrive in their database. They are woken when a call of this process adds some, and poll
 * for what other processes add. While they wait they hold nothing but their session.
 */
export class Arrivals {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #interval: number;
  readonly #companies = new Map<string, Map<Awaited, Company>>();
  readonly #ofLogin = new Tally<string>();
  #waiting = 0;
  #isClosed = false;

  constructor({ clock, most = 1000, interval = 50 }: ArrivalsOptions) {
    this.#clock = clock;
    this.#most = most;
    this.#interval = interval;
  }

  /** The number of waiting calls. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Waits until the awaited work exists; false if the time elapses first, or the server stops. */
  async until(database: Database, awaited: Awaited, milliseconds: number, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    if (this.#isClosed) return false;
    if (this.#waiting >= this.#most) throw tooMany(this.#most);
    const login = currentWorker();
    if (this.#ofLogin.of(login) >= this.#most * shareOfLogin) throw tooMany(this.#ofLogin.of(login));
    const company = this.#companyOf(database, awaited);
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const waiter: Waiter = { isOver: false, settle: resolve, fail: reject };
    const cancel = () => reject(signal.reason);
    signal.addEventListener('abort', cancel, { once: true });
    this.#waiting += 1;
    this.#ofLogin.change(login, 1);
    company.waiters.add(waiter);
    this.#look(company);
    const timer = setTimeout(() => {
      waiter.isOver = true;
      if (!company.isLooking) waiter.settle(false);
    }, milliseconds);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      this.#waiting -= 1;
      this.#ofLogin.change(login, -1);
      this.#leave(company, waiter);
    }
  }

  /** A call that added work to a database has committed. */
  wake(database: string): void {
    const companies = this.#companies.get(database);
    if (companies !== undefined) for (const company of companies.values()) this.#look(company);
  }

  /** Ends all waits and allows no new ones: the server is stopping. */
  close(): void {
    this.#isClosed = true;
    for (const companies of this.#companies.values())
      for (const { waiters } of companies.values()) for (const waiter of waiters) waiter.settle(false);
  }

  #companyOf(database: Database, awaited: Awaited): Company {
    const ofDatabase = this.#companies.get(database.name) ?? new Map<Awaited, Company>();
    this.#companies.set(database.name, ofDatabase);
    const found = ofDatabase.get(awaited);
    // A database that was dropped and created again has the same name but is a different one.
    if (found?.database === database) return found;
    const made: Company = {
      database,
      awaited,
      waiters: new Set(),
      isLooking: false,
      again: false,
      timer: undefined,
    };
    ofDatabase.set(awaited, made);
    return made;
  }

  #leave(company: Company, waiter: Waiter): void {
    company.waiters.delete(waiter);
    if (company.waiters.size > 0) return;
    clearTimeout(company.timer);
    const ofDatabase = this.#companies.get(company.database.name);
    if (ofDatabase?.get(company.awaited) === company) ofDatabase.delete(company.awaited);
    if (ofDatabase?.size === 0) this.#companies.delete(company.database.name);
  }

  #look(company: Company): void {
    if (company.isLooking) {
      company.again = true;
      return;
    }
    clearTimeout(company.timer);
    company.isLooking = true;
    company.again = false;
    const began = performance.now();
    company.database.few({ One: int }, company.awaited(this.#clock.now())).then(
      (rows) => this.#looked(company, rows.length > 0, performance.now() - began),
      (error: unknown) => {
        company.isLooking = false;
        for (const waiter of company.waiters) waiter.fail(error);
      },
    );
  }

  #looked(company: Company, isThere: boolean, took: number): void {
    company.isLooking = false;
    for (const waiter of company.waiters) if (isThere || waiter.isOver) waiter.settle(isThere);
    if (isThere) return;
    if (company.again) this.#look(company);
    else if (company.waiters.size > 0) {
      company.timer = setTimeout(() => this.#look(company), Math.max(this.#interval, took * restAfterLook));
    }
  }
}
