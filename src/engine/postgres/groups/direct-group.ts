import type { Compiled } from '../../compile.ts';
import { EngineFault } from '../../fault.ts';
import type { WriteFigures } from '../../figures.ts';
import { PostgresDb } from '../db.ts';
import { Conflict, InDoubt, isLockTimeout, Unreachable } from '../errors.ts';
import { type Link, NotKept } from '../wire/link.ts';
import { type Ending, separately, together } from './endings.ts';
import type { GroupEnd, Member } from './group.ts';
import { type Markers, transactionOf } from './markers.ts';
import type { OtherWriters } from './other-writers.ts';

/** Thrown into a call that does not end with a single statement, although others of its kind did. */
class NotLast extends EngineFault {}

/** One call and its only statement. */
interface Run {
  readonly member: Member;
  ending: Ending | undefined;
  readonly ended: PromiseWithResolvers<void>;
  settled: Promise<unknown>;
}

/** A group of which nothing was kept, because of the statement `at` this index; below 0 it is one that begins it. */
interface Undone {
  readonly end: 'undone';
  readonly cause: unknown;
  readonly at: number;
}

/**
 * Calls of kinds that end with one statement (`Db.last`), sent as one message that PostgreSQL runs and commits on its
 * own: one round trip instead of the two of a group that waits for answers before it commits. Calls that end alike
 * share a statement. Each statement fails if a call would have more to do; then nothing of the group is kept.
 */
export class DirectGroup {
  readonly #link: Link;
  readonly #figures: WriteFigures;
  readonly #markers: Markers;
  readonly #otherWriters: OtherWriters;

  constructor(link: Link, figures: WriteFigures, markers: Markers, otherWriters: OtherWriters) {
    this.#link = link;
    this.#figures = figures;
    this.#markers = markers;
    this.#otherWriters = otherWriters;
  }

  /**
   * `longestWait` is for row locks. No group is sent behind it before its answer arrives: otherwise every turn of the
   * event loop would be a commit.
   */
  async run(members: readonly Member[], longestWait: number): Promise<GroupEnd> {
    const start = performance.now();
    const runs = members.map((member) => this.#start(member));
    const endings = runs.flatMap(({ ending }) => ending ?? []);
    const end = endings.length < runs.length ? refused(runs) : await this.#endAll(runs, endings, longestWait);
    for (const { ended } of runs) {
      if (end.end === 'kept') ended.resolve();
      else ended.reject(new NotLast('The transaction of a call was rolled back.'));
    }
    await Promise.all(runs.map(({ settled }) => settled));
    if (end.end === 'kept') this.#figures.committed(runs.length, start);
    return end;
  }

  #start(member: Member): Run {
    const run: Run = { member, ending: undefined, ended: Promise.withResolvers(), settled: Promise.resolve() };
    // A call that is not waiting for it is rejected.
    run.ended.promise.catch(() => {});
    const refuse = () => {
      throw new NotLast('A call sent another statement besides its last.');
    };
    const db = new PostgresDb(this.#link, 'gathered', undefined, refuse, (statement, together) => {
      if (run.ending !== undefined) refuse();
      run.ending = { statement, together };
      return run.ended.promise;
    });
    run.settled = member.job.run(db, () => db.failure);
    return run;
  }

  /** If a shared statement fails, separate ones tell which call it was. */
  async #endAll(runs: readonly Run[], endings: readonly Ending[], longestWait: number): Promise<GroupEnd> {
    const shared = together(endings);
    if (shared !== undefined) {
      const end = await this.#send(shared, longestWait);
      if (end.end !== 'undone') return end;
      if (end.at < 0 || end.cause instanceof Unreachable) return undone(end, runs);
    }
    const end = await this.#send(separately(endings), longestWait);
    return end.end === 'undone' ? undone(end, runs) : end;
  }

  async #send(endings: readonly Compiled[], longestWait: number): Promise<GroupEnd | Undone> {
    const { id, statements } = this.#markers.begin(longestWait);
    try {
      const entered = await this.#link.commitAll([...statements, ...endings]);
      this.#otherWriters.note(transactionOf(entered));
      return { end: 'kept' };
    } catch (error) {
      if (!(error instanceof NotKept)) throw error;
      const { cause, at = 0 } = error;
      return this.#link.broken ? this.#afterLoss(id, cause) : { end: 'undone', cause, at: at - statements.length };
    }
  }

  async #afterLoss(id: bigint, lost: unknown): Promise<GroupEnd> {
    try {
      await this.#markers.assureKept(id, lost);
      return { end: 'kept' };
    } catch (error) {
      return { end: error instanceof InDoubt ? 'in doubt' : 'not begun', error };
    }
  }
}

/** The end of a group in which a call deviated, so that nothing was sent. */
function refused(runs: readonly Run[]): GroupEnd {
  for (const { member, ending } of runs) if (ending === undefined) member.habit.endsAtOnce = false;
  return { end: 'again' };
}

function undone({ cause, at }: Undone, runs: readonly Run[]): GroupEnd {
  if (cause instanceof Unreachable) return { end: 'not begun', error: cause };
  const by = runs[at]?.member;
  if (by === undefined) return isLockTimeout(cause) ? { end: 'not begun', error: cause } : { end: 'again' };
  if (isLockTimeout(cause)) return { end: 'failed', by };
  if (!(cause instanceof Conflict)) by.habit.endsAtOnce = false;
  return { end: 'again' };
}
