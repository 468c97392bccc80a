import { currentWorker, workingFor } from '../base/rota.ts';
import { sqlError } from '../base/sql-error.ts';
import type { Db, Transaction, WriteOptions } from './db.ts';

/** A request for the writer: to run one piece of work, or to hold it for a client's transaction. */
class Waiting {
  readonly options: WriteOptions;
  readonly since = performance.now();
  /** Who asked: whoever does the work does so for them. */
  readonly worker = currentWorker();
  #timer: NodeJS.Timeout | undefined;
  #leave: (() => void) | undefined;

  constructor(options: WriteOptions) {
    this.options = options;
  }

  get signal(): AbortSignal | undefined {
    return this.options.signal;
  }

  /** True for one that must be alone among the writers. */
  get serial(): boolean {
    return this.options.serial === true;
  }

  /** Milliseconds until the lock timeout has come. */
  get patience(): number {
    const { lockTimeout = -1 } = this.options;
    return lockTimeout < 0 ? Number.POSITIVE_INFINITY : this.since + lockTimeout - performance.now();
  }

  /**
   * Watches the lock timeout and the cancellation signal; `left` is called on either. Only waits for a client's transaction
   * or another process are watched: behind ordinary calls the wait is short, and a timer per call would cost more.
   */
  watch(left: (reason: unknown) => void): void {
    const { signal, patience } = this;
    if (this.#leave !== undefined) return;
    this.#leave = () => left(signal?.reason);
    signal?.addEventListener('abort', this.#leave, { once: true });
    if (patience === Number.POSITIVE_INFINITY) return;
    if (patience <= 0) left(sqlError(1222));
    else this.#timer = setTimeout(() => left(sqlError(1222)), patience);
  }

  unwatch(): void {
    clearTimeout(this.#timer);
    if (this.#leave !== undefined) this.signal?.removeEventListener('abort', this.#leave);
    this.#leave = undefined;
  }
}

/** One call's work: run as part of a group, answered when the group is on disk. */
export class WriteJob<T> extends Waiting {
  readonly kind = 'write';
  readonly promise: Promise<T>;
  readonly #work: (db: Db) => Promise<T>;
  readonly #resolve: (value: T) => void;
  readonly #reject: (error: unknown) => void;
  #value: T | undefined;
  #failed = false;
  #failure: unknown;

  constructor(work: (db: Db) => Promise<T>, options: WriteOptions) {
    super(options);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.promise = promise;
    this.#work = work;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /**
   * Runs the work and keeps its answer; returns whether it succeeded, which it did not when a statement failed
   * quietly.
   */
  async run(db: Db, failedBefore: () => unknown): Promise<boolean> {
    try {
      const value = await workingFor(this.worker, () => this.#work(db));
      const swallowed = failedBefore();
      if (swallowed !== undefined) throw swallowed;
      this.#value = value;
      this.#failure = undefined;
      this.#failed = false;
    } catch (error) {
      this.#failure = error;
      this.#failed = true;
    }
    return !this.#failed;
  }

  /** Lets another runner do the work, which answers by itself. */
  runBy(run: (work: (db: Db) => Promise<T>) => Promise<T>): void {
    run(this.#work).then(this.#resolve, this.#reject);
  }

  /** What the work threw when it last ran; undefined when it succeeded. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Gives the kept answer, which may rest on what the group's other calls did: so a failure waits for the disk too. */
  answer(): void {
    if (this.#failed) this.#reject(this.#failure);
    // It has run, so the value is that of the work.
    else this.#resolve(this.#value as T);
  }

  fail(error: unknown): void {
    this.#reject(error);
  }
}

/** A client that requests the writer for its own transaction. */
export class BeginJob extends Waiting {
  readonly kind = 'begin';
  readonly promise: Promise<Transaction>;
  readonly #resolve: (transaction: Transaction) => void;
  readonly #reject: (error: unknown) => void;

  constructor(options: WriteOptions) {
    super(options);
    const { promise, resolve, reject } = Promise.withResolvers<Transaction>();
    this.promise = promise;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  grant(transaction: Transaction): void {
    this.#resolve(transaction);
  }

  fail(error: unknown): void {
    this.#reject(error);
  }
}
