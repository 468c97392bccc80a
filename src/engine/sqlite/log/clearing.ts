import { setTimeout as delay } from 'node:timers/promises';

/**
 * Milliseconds that running reads may take when the log is to restart: before it has reached its limit, and afterwards.
 */
const politePatience = 2000;
const lastPatience = 5000;

/** Milliseconds that new short reads wait for running ones. */
const brief = 250;

const pollInterval = 5;

/** Attempts before the log is left to grow. */
const mostRounds = 3;

/** The open reads of a database, each with its own snapshot. */
export interface Reads {
  isRunning(read: object): boolean;
  running(): Iterable<object>;
  /** Aborts a read: its reader gets error 3966. */
  cut(read: object): void;
  /** Makes new reads wait until they are admitted. */
  holdBack(): void;
  letIn(): void;
}

/** A log that cannot restart because somebody reads a snapshot in it. */
interface OvergrownLog {
  /** Whether it is past its limit, so that reads may be aborted for it. */
  readonly isPastLimit: boolean;
  /** Its size in pages, and by how much it may grow during a wait. */
  readonly pages: number;
  readonly mostGrowth: number;
  /** Copies it concurrently with the writer. */
  copy(): Promise<void>;
  /** Makes the next writer wait while the log restarts; false if a reader still blocked it. */
  startOver(): Promise<boolean>;
}

/**
 * Creates a moment in which nobody reads a snapshot in the log, so that the log can restart. Overlapping reads leave no
 * such moment by themselves, however short each is, so new ones wait for running ones. No writer waits for that, and
 * only reads that exceed their time are aborted, once the log is past its limit.
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

  /** Returns how many reads were aborted, and whether the log restarted. */
  async run(log: OvergrownLog): Promise<{ readonly isDone: boolean; readonly cut: number }> {
    let cut = 0;
    try {
      for (let round = 0; round < mostRounds; round++) {
        const left = await this.#waitForLong(log);
        if (left.length > 0 && !log.isPastLimit) break;
        for (const read of left) this.#cut(read);
        cut += left.length;
        // After that, much may be left to copy, which takes time.
        if (left.length > 0) this.#long.letIn();
        await log.copy();
        if (left.length === 0 && (await this.#startOver(log))) return { isDone: true, cut };
      }
      return { isDone: false, cut };
    } finally {
      this.#long.letIn();
    }
  }

  /** Returns the reads that are still running when their time is over; new long reads wait meanwhile. */
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
