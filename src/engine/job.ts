import { sqlError } from '../base/messages/sql-error.ts';
import { currentWorker, workingFor } from '../base/threads/rota.ts';
import type { Db, Transaction, WriteOptions } from './db.ts';

/** A request for the writer: to run one unit of work, or to be lent the writer for a client's transaction. */
class Waiting {
  readonly options: WriteOptions;
  readonly since = performance.now();
  /** The login that asked; the work runs on its account, whoever runs it. */
  readonly worker = currentWorker();
  #timer: NodeJS.Timeout | undefined;
  #leave: (() => void) | undefined;

  constructor(options: WriteOptions) {
    this.options = options;
  }

  get signal(): AbortSignal | undefined {
    return this.options.signal;
  }

  /** True if it must exclude all other writers. */
  get serial(): boolean {
    return this.options.serial === true;
  }

  /** Milliseconds left until the lock timeout. */
  get patience(): number {
    const { lockTimeout = -1 } = this.options;
    return lockTimeout < 0 ? Number.POSITIVE_INFINITY : this.since + lockTimeout - performance.now();
  }

  /**
   * Observes the lock timeout and the cancellation signal, and calls `left` on either. Only waits for a client's
   * transaction or for another process are observed: behind ordinary calls the wait is short, and a timer per call
   * would cost more.
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

/** The work of one call: runs as part of a group and is answered when the group is durable. */
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
   * Runs the work and keeps its result. Returns whether it succeeded; it has not if one of its statements failed and
   * the work caught the error.
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

  /** Has another runner do the work, which also answers the call. */
  runBy(run: (work: (db: Db) => Promise<T>) => Promise<T>): void {
    run(this.#work).then(this.#resolve, this.#reject);
  }

  /** What the work threw in its last run; undefined if it succeeded. */
  get failure(): unknown {
    return this.#failure;
  }

  /**
   * Answers the call with the kept result. A failure waits for the sync too, since it may depend on other calls of the
   * group.
   */
  answer(): void {
    if (this.#failed) this.#reject(this.#failure);
    // The work has run, so the value is its result.
    else this.#resolve(this.#value as T);
  }

  fail(error: unknown): void {
    this.#reject(error);
  }
}

/** A client's request to be lent the writer for its own transaction. */
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
