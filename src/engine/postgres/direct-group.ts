import type { Compiled } from '../compile.ts';
import { EngineFault } from '../fault.ts';
import type { WriteFigures } from '../figures.ts';
import type { Company } from './company.ts';
import { PostgresDb } from './db.ts';
import { Conflict, InDoubt, isLockTimeout, Unreachable } from './errors.ts';
import type { GroupEnd, Member } from './group.ts';
import { type Link, NotKept } from './link.ts';
import { type Markers, transactionOf } from './markers.ts';

/** Thrown into a call that does not end with its one statement, as its kind is used to. */
class NotLast extends EngineFault {}

/** One call, and the statement that it ends with. */
interface Run {
  readonly member: Member;
  last: Compiled | undefined;
  readonly ended: PromiseWithResolvers<void>;
  settled: Promise<unknown>;
}

/**
 * Calls of kinds that end with one statement (`Db.last`), as one message which PostgreSQL runs and commits by itself: one round trip
 * where a group that waits for the answers before it commits takes two. Each statement fails where its call would have more to
 * do, and then nothing of the group is kept.
 */
export class DirectGroup {
  readonly #link: Link;
  readonly #figures: WriteFigures;
  readonly #markers: Markers;
  readonly #company: Company;

  constructor(link: Link, figures: WriteFigures, markers: Markers, company: Company) {
    this.#link = link;
    this.#figures = figures;
    this.#markers = markers;
    this.#company = company;
  }

  /** `longestWait` is for rows. No group goes behind it before its answer: each turn of the event loop would be a commit. */
  async run(members: readonly Member[], longestWait: number): Promise<GroupEnd> {
    const start = performance.now();
    const runs = members.map((member) => this.#start(member));
    const lasts = runs.flatMap(({ last }) => last ?? []);
    const end: GroupEnd = lasts.length < runs.length ? refused(runs) : await this.#send(runs, lasts, longestWait);
    for (const { ended } of runs) {
      if (end.end === 'kept') ended.resolve();
      else ended.reject(new NotLast('The transaction of a call was undone.'));
    }
    await Promise.all(runs.map(({ settled }) => settled));
    if (end.end === 'kept') this.#figures.committed(runs.length, start);
    return end;
  }

  #start(member: Member): Run {
    const run: Run = { member, last: undefined, ended: Promise.withResolvers(), settled: Promise.resolve() };
    // Whoever does not wait for it is refused.
    run.ended.promise.catch(() => {});
    const refuse = () => {
      throw new NotLast('A call sent a statement beside its last.');
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
      this.#company.note(transactionOf(entered));
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

/** One of them went another way, and nothing was sent. */
function refused(runs: readonly Run[]): GroupEnd {
  for (const { member, last } of runs) if (last === undefined) member.habit.endsAtOnce = false;
  return { end: 'again' };
}

/** What a statement that failed means for all: `first` is the place of the first call's. */
function undone({ cause, at = 0 }: NotKept, runs: readonly Run[], first: number): GroupEnd {
  if (cause instanceof Unreachable) return { end: 'not begun', error: cause };
  const by = runs[at - first]?.member;
  if (by === undefined) return isLockTimeout(cause) ? { end: 'not begun', error: cause } : { end: 'again' };
  if (isLockTimeout(cause)) return { end: 'failed', by };
  if (!(cause instanceof Conflict)) by.habit.endsAtOnce = false;
  return { end: 'again' };
}
