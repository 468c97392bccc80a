import { UsualTime } from '../usual-time.ts';

/**
 * A call that takes longer than this, in milliseconds, keeps the others of its group waiting. Far above what short calls
 * take on a busy machine: a kind that goes apart by mistake is slower there, and must not stay for that.
 */
const slow = 250;
/** So many calls must have gone by before a kind that failed or was slow shares transactions again. */
const penance = 8;
/** Calls that work for longer than this, in milliseconds, go beside others where they may: more than sharing a commit saves. */
const long = 4;

/** How calls of one kind went lately. */
export class Habit {
  /** True when the last one sent one statement at most: the next call's may then be sent before its answer is there. */
  single = false;
  /** True when the last one would have ended with its one statement (`Db.last`). */
  endsAtOnce = false;
  /** True for a kind that reads with one statement; once it has sent two it never is again. */
  isLookup: boolean | undefined;
  /** A kind has to show itself first. */
  #penance = 1;
  /** From the first statement to the last. */
  readonly #usual = new UsualTime();

  /** True when calls of this kind are short and so may share a transaction with others. */
  get sociable(): boolean {
    return this.#penance === 0;
  }

  /** True when calls of this kind work for so long that those behind would rather not wait. */
  get isLong(): boolean {
    return this.#usual.milliseconds > long;
  }

  /** True when they are to have a transaction of their own, before and after those of others. */
  get isHeavy(): boolean {
    return this.#usual.isHeavy;
  }

  /** Notes for how many milliseconds a call worked in its transaction. */
  worked(milliseconds: number): void {
    this.#usual.note(milliseconds);
  }

  /** Notes how a call went: how long it took, and whether it undid the transaction around it. */
  note(milliseconds: number, failed: boolean): void {
    if (failed || milliseconds > slow) this.#penance = penance;
    else if (this.#penance > 0) this.#penance--;
  }
}

/** What is known of kinds of calls; forgotten with them. */
export class Habits {
  readonly #byKind = new WeakMap<object, Habit>();

  of(kind: object): Habit {
    let habit = this.#byKind.get(kind);
    if (habit === undefined) {
      habit = new Habit();
      this.#byKind.set(kind, habit);
    }
    return habit;
  }
}

/**
 * How long a call works, its waits for rows included: not how long it waits for a connection or the gate, nor how often it is
 * tried, which say nothing of its kind. Those that come at once wait for each other and conflict, and would go apart for
 * that again and again.
 */
export class WorkingTime {
  /** Milliseconds of the longest try, and of the last one. */
  longest = 0;
  last = 0;

  /** Runs a try. */
  async of<T>(work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.last = performance.now() - start;
      this.longest = Math.max(this.longest, this.last);
    }
  }
}
