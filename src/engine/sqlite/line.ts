import type { LockWait } from '../db.ts';
import type { BeginJob, WriteJob } from '../job.ts';
import { UsualTime } from '../usual-time.ts';

type Job = WriteJob<unknown> | BeginJob;

/** Those who wait for the writer, in the order in which they came; after a client's transaction other logins go first. */
export class Line {
  readonly jobs: Job[] = [];
  /** True while whoever has the lock may keep it for long, so that those who wait mind their time. */
  #isHeld = false;
  /** How long calls of each kind work. */
  readonly #usual = new WeakMap<object, UsualTime>();
  /** Whether the last group began with a heavy call, or something was waited for that takes as long. */
  #wasHeavy = false;

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

  /** Runs a call, and notes how long it worked. */
  async timed<T>({ options: { like } }: Job, run: () => Promise<T>): Promise<T> {
    if (like === undefined) return run();
    const start = performance.now();
    const value = await run();
    this.#noteTime(like, performance.now() - start);
    return value;
  }

  #noteTime(like: object, milliseconds: number): void {
    let usual = this.#usual.get(like);
    if (usual === undefined) {
      usual = new UsualTime();
      this.#usual.set(like, usual);
    }
    usual.note(milliseconds);
  }

  /** True for a call of a kind that works for long. */
  isHeavy(job: Job | undefined): boolean {
    const like = job?.kind === 'write' ? job.options.like : undefined;
    return like !== undefined && this.#usual.get(like)?.isHeavy === true;
  }

  /** Waits, with all of them, for the log to start over: it counts as a heavy call, so nobody waits for it and for one of those. */
  async waitFor(startingOver: Promise<void> | undefined): Promise<void> {
    await startingOver;
    if (startingOver !== undefined) this.#wasHeavy = true;
  }

  /** After a heavy call somebody else who waits behind the next one goes first: so nobody waits for two of them. */
  letLightPass(): void {
    const [first] = this.jobs;
    const wasHeavy = this.#wasHeavy;
    this.#wasHeavy = this.isHeavy(first);
    if (wasHeavy && this.#wasHeavy && this.#bringLight()) this.#wasHeavy = false;
  }

  /** True where nobody waits but heavy calls; else one that is not heavy is the next. */
  hasOnlyHeavy(): boolean {
    return this.isHeavy(this.jobs[0]) && !this.#bringLight();
  }

  /** Lets the first call that is not heavy be the next; false where there is none. */
  #bringLight(): boolean {
    const light = this.jobs.findIndex((job) => !this.isHeavy(job));
    if (this.jobs[light]?.kind !== 'write') return false;
    this.jobs.unshift(...this.jobs.splice(light, 1));
    return true;
  }

  /** A client's transaction is over: all others who wait go before those of the same login, who may have many of them. */
  passOn(worker: string): void {
    this.hold(false);
    const others = this.jobs.filter((job) => job.worker !== worker);
    if (others.length === 0) return;
    const own = this.jobs.filter((job) => job.worker === worker);
    this.jobs.splice(0, this.jobs.length, ...others, ...own);
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
