import type { WriteFigures } from '../../figures.ts';
import type { WriteJob } from '../../job.ts';
import { cancellable } from '../connect/cancellable.ts';
import { PostgresDb } from '../db.ts';
import { Conflict, InDoubt, Unreachable } from '../errors.ts';
import { commit } from '../transaction.ts';
import type { Link } from '../wire/link.ts';
import type { Habit } from './habits.ts';

/** A call in a group, with the habits of its kind. */
export interface Member {
  readonly job: WriteJob<unknown>;
  readonly habit: Habit;
}

/** How a group ended: committed as a whole, or not at all, and why. */
export type GroupEnd =
  | { readonly end: 'kept' }
  /** Another transaction conflicted, or a call did more than its kind usually does: the group may be retried. */
  | { readonly end: 'again' }
  /** The transaction could not begin, or the server was lost before its end: it had no effect. */
  | { readonly end: 'not begun'; readonly error: unknown }
  /** One call failed after it had changed something, which rolled back the others' work. */
  | { readonly end: 'failed'; readonly by: Member }
  /** The connection was lost during the commit. */
  | { readonly end: 'in doubt'; readonly error: unknown };

/** Thrown into a call that sends a statement after a later call has sent one: their order would be violated. */
class OutOfTurn extends Error {}

/** One call while its group runs. */
interface Run {
  readonly member: Member;
  readonly db: PostgresDb;
  statements: number;
  state: 'running' | 'succeeded' | 'failed';
  settled: Promise<void>;
}

/**
 * Calls that share one transaction, run strictly in order of arrival. Their statements are pipelined: a call whose kind
 * usually sends one statement is followed by the next call's at once. If it then sends another, it has been overtaken;
 * the group is rolled back and run again without pipelining. This is safe because work has no effects outside its
 * transaction.
 */
export class Group {
  readonly #link: Link;
  readonly #figures: WriteFigures;
  readonly #runs: Run[] = [];
  /** The index of the last call that has sent a statement. */
  #latest = -1;
  #overtaken: Member | undefined;

  constructor(link: Link, figures: WriteFigures) {
    this.#link = link;
    this.#figures = figures;
  }

  /**
   * With `hurried` the calls start before the transaction has begun, so `begin` must not wait. `committing` is called
   * when the commit, the last message of the group, was sent.
   */
  async run(
    begin: readonly string[],
    members: readonly Member[],
    hurried: boolean,
    committing: () => void,
  ): Promise<GroupEnd> {
    const notBegun = await this.#runUncommitted(begin, members, hurried);
    if (notBegun === undefined) return this.#end(committing);
    await this.#link.rollback();
    return { end: 'not begun', error: notBegun.error };
  }

  /** Cancellations are observed only until the commit: a later one would hit the next group. */
  async #runUncommitted(
    begin: readonly string[],
    members: readonly Member[],
    hurried: boolean,
  ): Promise<{ readonly error: unknown } | undefined> {
    const jobs = members.map(({ job }) => job);
    await using _ = cancellable(this.#link, jobs);
    const began = this.#link.begin(begin).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    if (hurried || (await began) === undefined) await this.#runAll(members, hurried);
    return began;
  }

  async #runAll(members: readonly Member[], hurried: boolean): Promise<void> {
    for (const member of members) {
      const started = performance.now();
      const run = this.#start(member);
      if (hurried && member.habit.single && run.statements === 1) continue;
      await run.settled;
      if (spoils(run)) break;
      const took = performance.now() - started;
      member.habit.note(took, false);
      member.habit.worked(took);
    }
    await Promise.all(this.#runs.map((run) => run.settled));
  }

  #start(member: Member): Run {
    const place = this.#runs.length;
    const db = new PostgresDb(this.#link, 'gathered', undefined, () => {
      member.job.signal?.throwIfAborted();
      if (this.#latest > place) {
        this.#overtaken = member;
        throw new OutOfTurn();
      }
      this.#latest = place;
      run.statements++;
    });
    const run: Run = { member, db, statements: 0, state: 'running', settled: Promise.resolve() };
    this.#runs.push(run);
    run.settled = work(run);
    return run;
  }

  async #end(committing: () => void): Promise<GroupEnd> {
    if (this.#overtaken !== undefined) {
      this.#overtaken.habit.single = false;
      await this.#link.rollback();
      return { end: 'again' };
    }
    const spoiler = this.#runs.find(spoils);
    if (spoiler !== undefined) {
      await this.#link.rollback();
      return undone(spoiler.db.failure ?? spoiler.member.job.failure, spoiler.member);
    }
    return this.#commit(committing);
  }

  /** A failed commit has ended the transaction: a rollback after it would hit the next group. */
  async #commit(committing: () => void): Promise<GroupEnd> {
    const start = performance.now();
    try {
      const committed = commit(this.#link);
      committing();
      await committed;
    } catch (error) {
      const [first] = this.#runs;
      return first === undefined || error instanceof InDoubt ? { end: 'in doubt', error } : undone(error, first.member);
    }
    this.#figures.committed(this.#runs.length, start);
    for (const { member, statements, db } of this.#runs) {
      member.habit.single = statements <= 1;
      member.habit.endsAtOnce = statements === 1 && db.lastWanted;
    }
    return { end: 'kept' };
  }
}

function undone(cause: unknown, by: Member): GroupEnd {
  if (cause instanceof Unreachable) return { end: 'not begun', error: cause };
  return cause instanceof Conflict ? { end: 'again' } : { end: 'failed', by };
}

async function work(run: Run): Promise<void> {
  const { member, db } = run;
  run.state = (await member.job.run(db, () => db.failure)) ? 'succeeded' : 'failed';
  db.end();
}

/** Whether a call requires a rollback: a statement of it failed, or it made a change before it failed. */
const spoils = ({ db, state }: Run): boolean => db.failure !== undefined || (state === 'failed' && db.changed);
