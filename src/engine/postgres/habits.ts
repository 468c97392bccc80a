import { UsualTime } from '../usual-time.ts';

/**
 * A call that takes longer than this, in milliseconds, delays the others of its group. It is far above what short calls
 * take on a busy machine: a kind that is separated by mistake is slower on its own, and must not stay separate because
 * of that.
 */
const slow = 250;
/** How many calls must pass before a kind that failed or was slow shares transactions again. */
const penance = 8;
/**
 * Calls that work for longer than this, in milliseconds, run concurrently where they may: they would lose more than a
 * shared commit saves.
 */
const long = 4;

/** How recent calls of one kind went. */
export class Habit {
  /** True when the last one sent at most one statement: the next call's may then be sent before its answer arrives. */
  single = false;
  /** True when the last one would have ended with its one statement (`Db.last`). */
  endsAtOnce = false;
  /** True for a kind that reads with one statement; once it has sent two it never is again. */
  isLookup: boolean | undefined;
  /** A kind has to prove itself first. */
  #penance = 1;
  /** From the first statement to the last. */
  readonly #usual = new UsualTime();

  /** True when calls of this kind are short and may share a transaction with others. */
  get sociable(): boolean {
    return this.#penance === 0;
  }

  /** True when calls of this kind take so long that others should not wait for them. */
  get isLong(): boolean {
    return this.#usual.milliseconds > long;
  }

  /** True when they are to have a transaction of their own, between those of others. */
  get isHeavy(): boolean {
    return this.#usual.isHeavy;
  }

  /** Records for how many milliseconds a call worked in its transaction. */
  worked(milliseconds: number): void {
    this.#usual.note(milliseconds);
  }

  /** Records how a call went: how long it took, and whether it rolled back the transaction around it. */
  note(milliseconds: number, failed: boolean): void {
    if (failed || milliseconds > slow) this.#penance = penance;
    else if (this.#penance > 0) this.#penance--;
  }
}

/** What is known of kinds of calls; dropped together with them. */
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
 * How long a call works, including waits for rows. Waits for a connection or the gate and the number of attempts are
 * excluded, since they say nothing about its kind: concurrent calls wait for each other and conflict, and would be
 * separated for that again and again.
 */
export class WorkingTime {
  /** Milliseconds of the longest attempt, and of the last one. */
  longest = 0;
  last = 0;

  /** Runs an attempt. */
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
