import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { sqlError } from '../../base/sql-error.ts';
import type { Db, WriteOptions } from '../db.ts';
import { EngineFault } from '../fault.ts';
import type { WriteFigures } from '../figures.ts';
import { WriteJob } from '../job.ts';
import { Company } from './company.ts';
import { DirectGroup } from './direct-group.ts';
import { isLockTimeout, NoServer, Unreachable } from './errors.ts';
import { beginWriting } from './gate.ts';
import { Gathering } from './gathering.ts';
import { Group, type GroupEnd, type Member } from './group.ts';
import type { Habits } from './habits.ts';
import { Markers } from './markers.ts';
import type { Pool } from './pool.ts';
import type { Server } from './server.ts';
import { SharedLink } from './shared-link.ts';

/** A group takes in so many calls at most, so that the first of them is not kept waiting by the last. */
const mostCalls = 64;
/** So often a group is tried beside other nodes' and clients' transactions; after that it runs alone. */
const triesTogether = 2;
const mostTries = 8;
/** How long a group waits for the gate before it looks whether its calls still want to, in milliseconds. */
const longestWait = 2000;
/** How long a group waits for a row that a client's transaction has changed; its call then waits for that by itself. */
export const longestRowWait = 100;
/** So often a group is run again whose connection was lost under it. */
const mostLosses = 2;
/** Milliseconds before a server that was not there is looked for again. */
const pause = 100;

/**
 * Where short writing calls of one database share transactions: those that wait at the same moment become one group,
 * one commit puts all of them on disk, and each is answered after it. While a commit is under way the next group is sent
 * behind it: PostgreSQL begins with it at once, and this process answers the calls of the first meanwhile. Where other nodes
 * write too it has enough to do: there a group waits for those who were just answered, and is twice as large.
 */
export class Lane {
  readonly #server: Server;
  readonly #link: SharedLink;
  readonly #habits: Habits;
  readonly #alone: (job: WriteJob<unknown>) => void;
  readonly #queue: Member[] = [];
  readonly #figures: WriteFigures;
  readonly #markers: Markers;
  readonly #company = new Company();
  readonly #gathering = new Gathering();
  /** Groups that have not ended; the last of them may not have sent its commit yet. */
  readonly #underWay = new Set<Promise<void>>();
  #run: Promise<void> | undefined;
  #stopped = false;
  /** Whether the last group was a heavy call, at a moment when others waited. */
  #wasHeavy = false;

  /** `alone` runs a call in a transaction of its own, and answers it. */
  constructor(
    server: Server,
    pool: Pool,
    habits: Habits,
    figures: WriteFigures,
    alone: (job: WriteJob<unknown>) => void,
  ) {
    this.#server = server;
    this.#figures = figures;
    this.#link = new SharedLink(pool);
    this.#markers = new Markers(server, pool.schema);
    this.#habits = habits;
    this.#alone = alone;
  }

  write<T>(work: (db: Db) => Promise<T>, options: WriteOptions & { readonly like: object }): Promise<T> {
    const job = new WriteJob(work, options);
    if (this.#stopped) job.fail(stopping());
    else {
      // The queue asks nothing of a job's value, which only its own promise hands out.
      this.#queue.push({ job: job as unknown as WriteJob<unknown>, habit: this.#habits.of(options.like) });
      this.#gathering.came(this.#queue.length);
      this.#run ??= this.#serve();
    }
    return job.promise;
  }

  /** How many wait for their group. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Refuses who waits, and resolves when the groups that run have ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { job } of this.#queue.splice(0)) job.fail(stopping());
    await this.#run;
    await Promise.all(this.#underWay);
  }

  async #serve(): Promise<void> {
    while (this.#queue.length > 0) {
      // A commit under way is waited for in any case: who calls in this turn goes along.
      if (this.#underWay.size > 0) await nextTurn();
      else if (this.#company.isThere) await this.#gathering.wait(this.#queue.length);
      await this.#launch(this.#next());
    }
    this.#run = undefined;
  }

  /**
   * Those who make up the next group. A heavy call goes alone, in turn with all others that wait: so nobody waits for
   * two of them.
   */
  #next(): Member[] {
    const heavy = this.#queue.findIndex(({ habit }) => habit.isHeavy);
    if (heavy < 0) return this.#queue.splice(0, mostCalls);
    const light = this.#queue.filter(({ habit }) => !habit.isHeavy).slice(0, mostCalls);
    this.#wasHeavy = light.length === 0 || !this.#wasHeavy;
    if (this.#wasHeavy) return this.#queue.splice(heavy, 1);
    const rest = this.#queue.filter((member) => !light.includes(member));
    this.#queue.splice(0, this.#queue.length, ...rest);
    return light;
  }

  /** Runs a group; resolves when its commit is under way, or when it has ended otherwise. */
  #launch(members: readonly Member[]): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const group = this.#group(members, resolve).finally(() => {
      this.#underWay.delete(group);
      resolve();
    });
    this.#underWay.add(group);
    return promise;
  }

  /** Runs calls as groups until each of them is answered or has gone its own way. */
  async #group(members: readonly Member[], committing: () => void): Promise<void> {
    let rest = members;
    for (let tries = 1; rest.length > 0; tries++) {
      rest = this.#stopped && tries > 1 ? fail(rest, stopping()) : stillWanted(rest);
      if (rest.length === 0) return;
      const end = await this.#attempt(rest, tries, committing);
      rest = await this.#after(end, rest, tries);
    }
  }

  async #attempt(members: readonly Member[], tries: number, committing: () => void): Promise<GroupEnd> {
    const hurried = tries === 1;
    const alone = tries > triesTogether;
    const serial = members.some(({ job }) => job.serial);
    const byRows = members.every(
      ({ job }) => job.options.byRows === true || (hurried && job.options.byRows === 'at once'),
    );
    const atOnce = byRows && members.some(({ job }) => job.options.byRows === 'at once');
    const isDirect = byRows && hurried && members.every(({ habit }) => habit.endsAtOnce);
    const patience = Math.min(...members.map(({ job }) => job.patience));
    // The connection's own limit is for rows: one that hurries does not wait for the gate.
    const limit = hurried ? {} : { lockTimeout: Math.min(patience, longestWait), rowTimeout: longestRowWait };
    const begin = beginWriting({ alone, serial, byRows, atOnce, waits: !hurried, ...limit });
    try {
      return await this.#link.use((link, passOn) => {
        link.serve(members.map(({ job }) => job.options.who));
        const sent = () => {
          passOn();
          committing();
        };
        if (!isDirect) return new Group(link, this.#figures).run(begin, members, hurried, sent);
        const direct = new DirectGroup(link, this.#figures, this.#markers, this.#company);
        return direct.run(members, atOnce ? 1 : longestRowWait);
      });
    } catch (error) {
      return { end: 'not begun', error };
    }
  }

  /** Answers those whose group is over, and returns those who are still to be run. */
  async #after(end: GroupEnd, members: readonly Member[], tries: number): Promise<readonly Member[]> {
    switch (end.end) {
      case 'kept':
        for (const { job } of members) job.answer();
        this.#gathering.expect(members.length + this.#queue.length);
        return [];
      case 'again':
        return tries < mostTries ? members : this.#apart(members);
      case 'not begun':
        // The gate was held by another; whose time is over hears it in the next round.
        if (isLockTimeout(end.error)) return members;
        return end.error instanceof Unreachable ? this.#afterLoss(end.error, members, tries) : fail(members, end.error);
      case 'in doubt':
        return fail(members, end.error);
      case 'failed': {
        end.by.habit.note(0, true);
        // Not waited for: the others' work does not depend on it.
        this.#alone(end.by.job);
        return members.filter((member) => member !== end.by);
      }
    }
  }

  /** Has each run by itself, which ends in an answer that its client understands. */
  #apart(members: readonly Member[]): [] {
    for (const { job } of members) this.#alone(job);
    return [];
  }

  /** Those who go on hoping for a server. One call may be what makes it fall, so after a few losses each is run by itself. */
  async #afterLoss(error: Unreachable, members: readonly Member[], tries: number): Promise<readonly Member[]> {
    if (!(error instanceof NoServer) && tries > mostLosses) return this.#apart(members);
    const [hoping, tired] = partition(members, ({ job }) => this.#server.isWorthWaiting(job.since));
    fail(tired, error);
    if (hoping.length > 0) await delay(pause);
    return hoping;
  }
}

function fail(members: readonly Member[], error: unknown): [] {
  for (const { job } of members) job.fail(error);
  return [];
}

function partition<T>(all: readonly T[], isFirst: (each: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((each) => !isFirst(each))];
}

/** Those who neither cancelled nor ran out of time; the others are told so. */
function stillWanted(members: readonly Member[]): readonly Member[] {
  return members.filter(({ job }) => {
    if (job.signal?.aborted === true) job.fail(job.signal.reason);
    else if (job.patience <= 0) job.fail(sqlError(1222));
    else return true;
    return false;
  });
}

const stopping = (): EngineFault => new EngineFault('The database is being closed.');
