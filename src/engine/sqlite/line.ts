import type { LockWait } from '../db.ts';
import type { BeginJob, WriteJob } from '../job.ts';

type Job = WriteJob<unknown> | BeginJob;

/** Those who wait for the writer, in the order in which they came. */
export class Line {
  readonly jobs: Job[] = [];
  /** True while whoever has the lock may keep it for long, so that those who wait mind their time. */
  #isHeld = false;

  add(job: Job): void {
    this.jobs.push(job);
    if (this.#isHeld) this.#watch(job);
  }

  hold(isHeld: boolean): void {
    if (this.#isHeld === isHeld) return;
    this.#isHeld = isHeld;
    for (const job of [...this.jobs]) {
      if (isHeld) this.#watch(job);
      else job.unwatch();
    }
  }

  refuse(job: Job, reason: unknown): void {
    job.unwatch();
    job.fail(reason);
  }

  /** How long sessions have waited for the one that has the writer. */
  waitsFor(blockedBy: number): readonly LockWait[] {
    const now = performance.now();
    return this.jobs.flatMap(({ options, since }) =>
      options.who === undefined ? [] : [{ who: options.who, blockedBy, milliseconds: now - since }],
    );
  }

  #watch(job: Job): void {
    job.watch((reason) => {
      const index = this.jobs.indexOf(job);
      if (index >= 0) this.jobs.splice(index, 1);
      this.refuse(job, reason);
    });
  }
}
