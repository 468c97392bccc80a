import { UsualTime } from '../../usual-time.ts';

/**
 * Milliseconds above which a call delays the others of its group. It is far above what short calls take on a busy
 * machine: a kind that is separated by mistake is slower on its own, and must not stay separate because of that.
 */
const slow = 250;
/** The number of calls before a kind that failed or was slow may share transactions again. */
const penance = 8;
/** Milliseconds above which calls run concurrently if they may: they would lose more than a shared commit saves. */
const long = 4;

/** How recent calls of one kind went. */
export class Habit {
  /** True if the last one sent at most one statement: the next call's may then be sent before its answer arrives. */
  single = false;
  /** True if the last one would have ended with its one statement (`Db.last`). */
  endsAtOnce = false;
  /** True for a kind that reads with one statement; once it has sent two it never is again. */
  isLookup: boolean | undefined;
  /** A new kind has to prove itself first. */
  #penance = 1;
  /** The time from the first statement to the last. */
  readonly #usual = new UsualTime();

  /** True if calls of this kind are short and may share a transaction with others. */
  get sociable(): boolean {
    return this.#penance === 0;
  }

  /** True if calls of this kind take so long that others should not wait for them. */
  get isLong(): boolean {
    return this.#usual.milliseconds > long;
  }

  /** True if they should have a transaction of their own, between those of others. */
  get isHeavy(): boolean {
    return this.#usual.isHeavy;
  }

  /** Records how long a call worked in its transaction. */
  worked(milliseconds: number): void {
    this.#usual.note(milliseconds);
  }

  /** Records how long a call took, and whether its failure rolled back the transaction around it. */
  note(milliseconds: number, failed: boolean): void {
    if (failed || milliseconds > slow) this.#penance = penance;
    else if (this.#penance > 0) this.#penance--;
  }
}

/** The habits of kinds of calls, dropped together with the kinds. */
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
 * The working time of a call, including waits for rows. Waits for a connection or the gate and the number of attempts
 * are excluded, since they say nothing about its kind: concurrent calls wait for each other and conflict, and would be
 * separated because of that again and again.
 */
export class WorkingTime {
  /** The duration of the longest attempt in milliseconds, and of the last one. */
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
