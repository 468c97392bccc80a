import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds that reads may run on when the log is to start over: before it has reached its limit, and then. */
const politePatience = 2000;
const lastPatience = 5000;

/** Milliseconds that new short reads wait for running ones. */
const brief = 250;

const pollInterval = 5;

/** Attempts before the log is left to grow. */
const mostRounds = 3;

/** Reads of a database, each with a snapshot of its own. */
export interface Reads {
  isRunning(read: object): boolean;
  running(): Iterable<object>;
  /** Aborts a read: its reader gets error 3966. */
  cut(read: object): void;
  /** Makes new reads wait until they are admitted. */
  holdBack(): void;
  letIn(): void;
}

/** A log that cannot start over, since somebody reads a snapshot in it. */
interface OvergrownLog {
  /** Whether it is past its limit, so that reads may be aborted for it. */
  readonly isPastLimit: boolean;
  /** Its number of pages, and by how many it may grow during a wait. */
  readonly pages: number;
  readonly mostGrowth: number;
  /** Copies it concurrently with the writer. */
  copy(): Promise<void>;
  /** Makes the next writer wait while it starts over; false if somebody still blocked it. */
  startOver(): Promise<boolean>;
}

/**
 * Creates a moment in which nobody reads a snapshot in the log, so that it can start over. Overlapping reads leave none
 * by themselves, however short each is: new ones wait for running ones. No writer waits for that, and only a read that
 * exceeds its time is aborted, once the log is past its limit.
 */
export class Clearing {
  readonly #long: Reads;
  readonly #short: Reads;
  readonly #patience: number | undefined;

  /** `patience` is how long reads may continue; a test that must not depend on time passes its own. */
  constructor(long: Reads, short: Reads, patience?: number) {
    this.#long = long;
    this.#short = short;
    this.#patience = patience;
  }

  /** Returns how many reads it aborted, and whether the log started over. */
  async run(log: OvergrownLog): Promise<{ readonly isDone: boolean; readonly cut: number }> {
    let cut = 0;
    try {
      for (let round = 0; round < mostRounds; round++) {
        const left = await this.#waitForLong(log);
        if (left.length > 0 && !log.isPastLimit) break;
        for (const read of left) this.#cut(read);
        cut += left.length;
        // Much may be left to copy after they have ended, which takes its time.
        if (left.length > 0) this.#long.letIn();
        await log.copy();
        if (left.length === 0 && (await this.#startOver(log))) return { isDone: true, cut };
      }
      return { isDone: false, cut };
    } finally {
      this.#long.letIn();
    }
  }

  /** Those who read now and still do when their time is over; who wants to read much waits. */
  #waitForLong(log: OvergrownLog): Promise<object[]> {
    this.#long.holdBack();
    const patience = this.#patience ?? (log.isPastLimit ? lastPatience : politePatience);
    const tooLong = log.pages + log.mostGrowth;
    return this.#waitFor(this.#running(), patience, () => log.pages >= tooLong);
  }

  async #startOver(log: OvergrownLog): Promise<boolean> {
    this.#short.holdBack();
    try {
      await this.#waitFor(this.#running(), brief, () => false);
      return await log.startOver();
    } finally {
      this.#short.letIn();
    }
  }

  async #waitFor(reads: readonly object[], patience: number, isUrgent: () => boolean): Promise<object[]> {
    const end = performance.now() + patience;
    for (;;) {
      const left = reads.filter((read) => this.#long.isRunning(read) || this.#short.isRunning(read));
      if (left.length === 0 || performance.now() >= end || isUrgent()) return left;
      await delay(pollInterval);
    }
  }

  #running(): readonly object[] {
    return [...this.#long.running(), ...this.#short.running()];
  }

  #cut(read: object): void {
    this.#long.cut(read);
    this.#short.cut(read);
  }
}
