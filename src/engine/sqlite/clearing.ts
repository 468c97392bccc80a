import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds that reads may run on when the log is to start over: before it has reached its limit, and then. */
const politePatience = 2000;
const lastPatience = 5000;

/** Milliseconds that those who read little are kept waiting for those who do so already. */
const brief = 250;

const pollInterval = 5;

/** Tries before the log is left to grow. */
const mostRounds = 3;

/** Reads of a database, each with a snapshot of its own. */
export interface Reads {
  isRunning(read: object): boolean;
  running(): Iterable<object>;
  /** Ends one: whoever reads gets error 3966. */
  cut(read: object): void;
  /** Lets those who come wait, until they are let in. */
  holdBack(): void;
  letIn(): void;
}

/** A log that cannot start over, since somebody reads a state in it. */
interface OvergrownLog {
  /** Whether it is past its limit, so that reads may be cut for it. */
  readonly isPastLimit: boolean;
  /** Pages that it has, and by how many it may grow while somebody is waited for. */
  readonly pages: number;
  readonly mostGrowth: number;
  /** Copies it beside the writer. */
  copy(): Promise<void>;
  /** Lets whoever writes next wait while it starts over; false where somebody was in the way still. */
  startOver(): Promise<boolean>;
}

/**
 * Makes a moment in which nobody reads a state in the log, so that it can start over. Reads that overlap leave none by
 * themselves, however short each is: those who come wait for those who are there. Nobody who writes waits for that, and only
 * a read that goes on for longer than it may is cut, once the log is past its limit.
 */
export class Clearing {
  readonly #long: Reads;
  readonly #short: Reads;
  readonly #patience: number | undefined;

  /** `patience` is how long reads may run on; a test that must not depend on time hands one in. */
  constructor(long: Reads, short: Reads, patience?: number) {
    this.#long = long;
    this.#short = short;
    this.#patience = patience;
  }

  /** Tells how many reads it cut, and whether the log started over. */
  async run(log: OvergrownLog): Promise<{ readonly isDone: boolean; readonly cut: number }> {
    let cut = 0;
    try {
      for (let round = 0; round < mostRounds; round++) {
        const left = await this.#waitForLong(log);
        if (left.length > 0 && !log.isPastLimit) break;
        for (const read of left) this.#cut(read);
        cut += left.length;
        // What they kept from being copied may be much, and takes its time.
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
