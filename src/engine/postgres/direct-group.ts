import type { Compiled } from '../compile.ts';
import { EngineFault } from '../fault.ts';
import type { WriteFigures } from '../figures.ts';
import { PostgresDb } from './db.ts';
import { Conflict, InDoubt, isLockTimeout, Unreachable } from './errors.ts';
import type { GroupEnd, Member } from './group.ts';
import { type Link, NotKept } from './link.ts';
import { type Markers, transactionOf } from './markers.ts';
import type { OtherWriters } from './other-writers.ts';

/** Thrown into a call that does not end with a single statement, although others of its kind did. */
class NotLast extends EngineFault {}

/** One call and its only statement. */
interface Run {
  readonly member: Member;
  last: Compiled | undefined;
  readonly ended: PromiseWithResolvers<void>;
  settled: Promise<unknown>;
}

/**
 * Calls of kinds that end with one statement (`Db.last`), sent as one message that PostgreSQL runs and commits on its
 * own: one round trip instead of the two of a group that waits for answers before it commits. Each statement fails if
 * its call would have more to do; then nothing of the group is kept.
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
    const lasts = runs.flatMap(({ last }) => last ?? []);
    const end: GroupEnd = lasts.length < runs.length ? refused(runs) : await this.#send(runs, lasts, longestWait);
    for (const { ended } of runs) {
      if (end.end === 'kept') ended.resolve();
      else ended.reject(new NotLast('The transaction of a call was rolled back.'));
    }
    await Promise.all(runs.map(({ settled }) => settled));
    if (end.end === 'kept') this.#figures.committed(runs.length, start);
    return end;
  }

  #start(member: Member): Run {
    const run: Run = { member, last: undefined, ended: Promise.withResolvers(), settled: Promise.resolve() };
    // A call that is not waiting for it is rejected.
    run.ended.promise.catch(() => {});
    const refuse = () => {
      throw new NotLast('A call sent another statement besides its last.');
    };
    const db = new PostgresDb(this.#link, 'gathered', undefined, refuse, (last) => {
      if (run.last !== undefined) refuse();
      run.last = last;
      return run.ended.promise;
    });
    run.settled = member.job.run(db, () => db.failure);
    return run;
  }

  async #send(runs: readonly Run[], lasts: readonly Compiled[], longestWait: number): Promise<GroupEnd> {
    const { id, statements } = this.#markers.begin(longestWait);
    try {
      const entered = await this.#link.commitAll([...statements, ...lasts]);
      this.#otherWriters.note(transactionOf(entered));
      return { end: 'kept' };
    } catch (error) {
      if (!(error instanceof NotKept)) throw error;
      if (!this.#link.broken) return undone(error, runs, statements.length);
      return this.#afterLoss(id, error.cause);
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
  for (const { member, last } of runs) if (last === undefined) member.habit.endsAtOnce = false;
  return { end: 'again' };
}

/** The end of a group in which a statement failed; `first` is the index of the first call's statement. */
function undone({ cause, at = 0 }: NotKept, runs: readonly Run[], first: number): GroupEnd {
  if (cause instanceof Unreachable) return { end: 'not begun', error: cause };
  const by = runs[at - first]?.member;
  if (by === undefined) return isLockTimeout(cause) ? { end: 'not begun', error: cause } : { end: 'again' };
  if (isLockTimeout(cause)) return { end: 'failed', by };
  if (!(cause instanceof Conflict)) by.habit.endsAtOnce = false;
  return { end: 'again' };
}
