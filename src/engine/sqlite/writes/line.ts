import type { LockWait } from '../../db.ts';
import type { BeginJob, WriteJob } from '../../job.ts';
import { UsualTime } from '../../usual-time.ts';

type Job = WriteJob<unknown> | BeginJob;

/**
 * The queue of callers waiting for the writer, in order of arrival; after a client's transaction, other logins go
 * first.
 */
export class Line {
  readonly jobs: Job[] = [];
  /** True while the holder of the lock may keep it for long, so that waiters must observe their timeouts. */
  #isHeld = false;
  /** How long calls of each kind usually take. */
  readonly #usual = new WeakMap<object, UsualTime>();
  /** Whether the last group started with a long call, or after a wait of similar length. */
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

  /** Runs a call, and records how long it took. */
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

  /** True for a call of a kind that takes long. */
  isHeavy(job: Job | undefined): boolean {
    const like = job?.kind === 'write' ? job.options.like : undefined;
    return like !== undefined && this.#usual.get(like)?.isHeavy === true;
  }

  /**
   * Waits, like everybody else, for the log to restart. This counts as a long call, so that nobody waits both for it
   * and for a long call.
   */
  async waitFor(startingOver: Promise<void> | undefined): Promise<void> {
    await startingOver;
    if (startingOver !== undefined) this.#wasHeavy = true;
  }

  /** After a long call, another waiting call goes before the next long one, so that nobody waits for two of them. */
  letLightPass(): void {
    const [first] = this.jobs;
    const wasHeavy = this.#wasHeavy;
    this.#wasHeavy = this.isHeavy(first);
    if (wasHeavy && this.#wasHeavy && this.#bringLight()) this.#wasHeavy = false;
  }

  /** True if only long calls wait; otherwise a short one is next. */
  hasOnlyHeavy(): boolean {
    return this.isHeavy(this.jobs[0]) && !this.#bringLight();
  }

  /** Moves the first short call to the front; false if there is none. */
  #bringLight(): boolean {
    const light = this.jobs.findIndex((job) => !this.isHeavy(job));
    if (this.jobs[light]?.kind !== 'write') return false;
    this.jobs.unshift(...this.jobs.splice(light, 1));
    return true;
  }

  /** A client's transaction has ended: all other waiters go before those of the same login, which may have many. */
  passOn(worker: string): void {
    this.hold(false);
    const others = this.jobs.filter((job) => job.worker !== worker);
    if (others.length === 0) return;
    const own = this.jobs.filter((job) => job.worker === worker);
    this.jobs.splice(0, this.jobs.length, ...others, ...own);
  }

  /** How long sessions have waited for the current holder of the writer. */
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
