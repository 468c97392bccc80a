import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { sqlError } from '../../../base/messages/sql-error.ts';
import type { Db, WriteOptions } from '../../db.ts';
import { EngineFault } from '../../fault.ts';
import type { WriteFigures } from '../../figures.ts';
import { WriteJob } from '../../job.ts';
import type { Pool } from '../connect/pool.ts';
import type { Server } from '../connect/server.ts';
import { isLockTimeout, NoServer, Unreachable } from '../errors.ts';
import { beginWriting } from '../locks/gate.ts';
import { SharedLink } from '../wire/shared-link.ts';
import { DirectGroup } from './direct-group.ts';
import { Gathering } from './gathering.ts';
import { Group, type GroupEnd, type Member } from './group.ts';
import type { Habits } from './habits.ts';
import { Markers } from './markers.ts';
import { OtherWriters } from './other-writers.ts';

/** The maximum number of calls in a group, so that the first is not delayed by the last. */
const mostCalls = 64;
/**
 * The number of attempts of a group concurrent with transactions of other nodes and clients; after those it runs
 * exclusively.
 */
const triesTogether = 2;
const mostTries = 8;
/** Milliseconds that a group waits for the gate before it checks whether its calls still want to run. */
const longestWait = 2000;
/**
 * Milliseconds that a group waits for a row that a client's transaction has changed; its call then waits for it
 * separately.
 */
export const longestRowWait = 100;
/** How often a group is retried after its connection has been lost. */
const mostLosses = 2;
/** Milliseconds before an unavailable server is tried again. */
const pause = 100;

/**
 * Group commit: short writing calls of one database that wait at the same moment share a transaction. One commit makes
 * all of them durable, and each is answered after it. While a commit is in progress, the next group is sent behind it:
 * PostgreSQL starts on it at once, while this process answers the calls of the first. If other nodes write too,
 * PostgreSQL is busy enough; a group then waits for the callers that were just answered, and is twice as large.
 */
export class Lane {
  readonly #server: Server;
  readonly #link: SharedLink;
  readonly #habits: Habits;
  readonly #alone: (job: WriteJob<unknown>) => void;
  readonly #queue: Member[] = [];
  readonly #figures: WriteFigures;
  readonly #markers: Markers;
  readonly #otherWriters = new OtherWriters();
  readonly #gathering = new Gathering();
  /** Groups that have not ended; the last of them may not have sent its commit yet. */
  readonly #underWay = new Set<Promise<void>>();
  #run: Promise<void> | undefined;
  #stopped = false;
  /** Whether the last group was a single long call while others were waiting. */
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
      // The queue does not use a job's value; only the job's own promise returns it.
      this.#queue.push({ job: job as unknown as WriteJob<unknown>, habit: this.#habits.of(options.like) });
      this.#gathering.came(this.#queue.length);
      this.#run ??= this.#serve();
    }
    return job.promise;
  }

  /** The number of calls waiting for a group. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Rejects waiting calls, and resolves when the running groups have ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { job } of this.#queue.splice(0)) job.fail(stopping());
    await this.#run;
    await Promise.all(this.#underWay);
  }

  async #serve(): Promise<void> {
    while (this.#queue.length > 0) {
      // A commit in progress is waited for in any case: calls of this turn can join.
      if (this.#underWay.size > 0) await nextTurn();
      else if (this.#otherWriters.areActive) await this.#gathering.wait(this.#queue.length);
      await this.#launch(this.#next());
    }
    this.#run = undefined;
  }

  /**
   * The calls of the next group. A long call runs alone, alternating with all others that wait, so that nobody waits
   * for two of them.
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

  /** Runs a group; resolves when its commit has been sent, or when it has ended otherwise. */
  #launch(members: readonly Member[]): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const group = this.#group(members, resolve).finally(() => {
      this.#underWay.delete(group);
      resolve();
    });
    this.#underWay.add(group);
    return promise;
  }

  /** Runs calls in groups until each is answered or runs separately. */
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
    // The connection's own timeout is for rows: a pipelined group does not wait for the gate.
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
        const direct = new DirectGroup(link, this.#figures, this.#markers, this.#otherWriters);
        return direct.run(members, atOnce ? 1 : longestRowWait);
      });
    } catch (error) {
      return { end: 'not begun', error };
    }
  }

  /** Answers the calls whose group has ended, and returns those still to be run. */
  async #after(end: GroupEnd, members: readonly Member[], tries: number): Promise<readonly Member[]> {
    switch (end.end) {
      case 'kept':
        for (const { job } of members) job.answer();
        this.#gathering.expect(members.length + this.#queue.length);
        return [];
      case 'again':
        return tries < mostTries ? members : this.#apart(members);
      case 'not begun':
        // Another transaction held the gate; calls that have timed out are told in the next round.
        if (isLockTimeout(end.error)) return members;
        return end.error instanceof Unreachable ? this.#afterLoss(end.error, members, tries) : fail(members, end.error);
      case 'in doubt':
        return fail(members, end.error);
      case 'failed': {
        end.by.habit.note(0, true);
        // Not awaited: the others do not depend on it.
        this.#alone(end.by.job);
        return members.filter((member) => member !== end.by);
      }
    }
  }

  /** Runs each separately, which ends in an answer that its client understands. */
  #apart(members: readonly Member[]): [] {
    for (const { job } of members) this.#alone(job);
    return [];
  }

  /**
   * The calls that keep waiting for a server. One of them may be what crashes it, so after a few losses each is run
   * separately.
   */
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

/** The calls that were neither cancelled nor timed out; the others are told so. */
function stillWanted(members: readonly Member[]): readonly Member[] {
  return members.filter(({ job }) => {
    if (job.signal?.aborted === true) job.fail(job.signal.reason);
    else if (job.patience <= 0) job.fail(sqlError(1222));
    else return true;
    return false;
  });
}

const stopping = (): EngineFault => new EngineFault('The database is being closed.');
