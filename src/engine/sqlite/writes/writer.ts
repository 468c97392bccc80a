import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Distribution } from '../../../base/log/measures.ts';
import type { Db, LockWait, Transaction, WriteOptions } from '../../db.ts';
import { closing, undone } from '../../fault.ts';
import { BeginJob, WriteJob } from '../../job.ts';
import type { Connection } from '../connection.ts';
import { SqliteDb } from '../db.ts';
import type { FarProcesses } from '../far/far-process.ts';
import type { FarTransaction } from '../far/far-transaction.ts';
import { goFar } from '../far/go-far.ts';
import type { Checkpoints } from '../log/checkpoints.ts';
import type { LogSync } from '../log/log-sync.ts';
import { CarefulKinds } from './careful-kinds.ts';
import { Line } from './line.ts';
import { Place } from './place.ts';
import { SqliteTransaction } from './transaction.ts';
import type { WriterOptions } from './writer-options.ts';
import { WriterTransaction } from './writer-transaction.ts';

/** A group ends after this many calls or milliseconds, so that its first call is not delayed too much by the last. */
const mostCalls = 512;
const longestGroup = 10;

/**
 * Milliseconds between two attempts to get the lock from another process. SQLite's own busy timeout would block this
 * whole process.
 */
const pollInterval = 5;

/**
 * The single writer of a database. Calls wait in a queue and run strictly one after another, so their statements never
 * interleave, even if a handler awaits something. Calls that wait at the same time share one transaction (group
 * commit): while the log of one group is synced to disk, the next group runs, and it commits when the disk is free.
 */
export class Writer {
  readonly #connection: Connection;
  readonly #sync: LogSync;
  readonly #checkpoints: Checkpoints;
  readonly #farProcesses: FarProcesses;
  readonly #groups: Distribution;
  readonly #time: () => number;
  readonly #transaction: WriterTransaction;
  readonly #line = new Line();
  readonly #careful: CarefulKinds;
  readonly #queue = this.#line.jobs;
  #lent: SqliteTransaction | undefined;
  /** The session that has borrowed the writer. */
  #lentTo: number | undefined;
  #running = false;
  /**
   * Whether calls come one at a time: the last group consisted of one call, no other waited behind it, and it was the
   * only one in its turn of the event loop.
   */
  #lone = false;
  #run: Promise<void> | undefined;
  #stopped = false;
  #wake: () => void = () => {};

  constructor(options: WriterOptions) {
    const { connection, sync, checkpoints, farProcesses, groups, time = () => performance.now() } = options;
    this.#connection = connection;
    this.#groups = groups;
    this.#time = time;
    this.#careful = new CarefulKinds(time);
    this.#sync = sync;
    this.#checkpoints = checkpoints;
    this.#farProcesses = farProcesses;
    this.#transaction = new WriterTransaction(options);
    connection.exec('pragma busy_timeout = 0');
    sync.onFree = () => this.#wake();
  }

  write<T>(work: (db: Db) => Promise<T>, options: WriteOptions = {}): Promise<T> {
    const job = new WriteJob(work, options);
    // The queue does not use a job's value, which is only returned by the job's own promise.
    this.#add(job as unknown as WriteJob<unknown>);
    return job.promise;
  }

  begin(options: WriteOptions = {}): Promise<Transaction> {
    const job = new BeginJob(options);
    this.#add(job);
    return job.promise;
  }

  /** Changes whenever this process commits a change that calls can see, or another process any. */
  get version(): string {
    return this.#transaction.version;
  }

  /** Whether it is running work. */
  get isRunning(): boolean {
    return this.#running;
  }

  /** The number of waiting callers. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Rejects waiting callers, rolls back a client's open transaction, and resolves when everything else is durable. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const job of this.#queue.splice(0)) this.#line.refuse(job, closing());
    this.#lent?.revoke();
    this.#wake();
    await this.#run;
    await this.#sync.seen()?.catch(() => {});
  }

  /** The sessions that wait for the client that has borrowed the writer. */
  waits(): readonly LockWait[] {
    return this.#lentTo === undefined ? [] : this.#line.waitsFor(this.#lentTo);
  }

  #add(job: WriteJob<unknown> | BeginJob): void {
    if (this.#stopped || job.signal?.aborted === true) {
      job.fail(this.#stopped ? closing() : job.signal?.reason);
      return;
    }
    this.#line.add(job);
    this.#wake();
    if (!this.#running) this.#run = this.#serve();
  }

  async #serve(): Promise<void> {
    this.#running = true;
    for (let job = this.#queue[0]; job !== undefined; job = this.#queue[0]) {
      await this.#line.waitFor(this.#checkpoints.ifUrgent());
      const copying = this.#checkpoints.catchingUp;
      if (copying !== undefined && this.#line.hasOnlyHeavy()) {
        await Promise.race([copying, this.#moreOrFree()]);
        continue;
      }
      if (!(await this.#lock())) continue;
      this.#line.letLightPass();
      if (this.#queue[0]?.kind === 'begin') await this.#lend();
      else await this.#group();
    }
    // In the same synchronous step as the check of the empty queue: a call that comes later starts the next run.
    this.#running = false;
  }

  /**
   * Begins a transaction for the first in the queue; false if nobody waits any more or the first could not be served.
   */
  async #lock(): Promise<boolean> {
    try {
      while (this.#queue.length > 0) {
        const broken = this.#transaction.broken ?? this.#sync.failure;
        if (broken !== undefined) throw broken;
        if (this.#transaction.tryBegin()) {
          this.#sync.open();
          return true;
        }
        this.#line.hold(true);
        await delay(pollInterval);
      }
    } catch (error) {
      this.#transaction.rollback();
      const job = this.#queue.shift();
      if (job !== undefined) this.#line.refuse(job, error);
    } finally {
      this.#line.hold(false);
    }
    return false;
  }

  async #group(): Promise<void> {
    const members: WriteJob<unknown>[] = [];
    const start = this.#time();
    // A group that runs as long as a sync takes keeps both the disk and this thread busy, each with its own group: 32
    // callers that finish any of a million items make 16,800 calls a second this way, 13,200 without (2026-11-15).
    const [latest, enough] = [start + longestGroup, start + this.#sync.usual];
    // If calls come one at a time, looking for others would only delay each of them.
    let lookedAgain = this.#lone;
    for (;;) {
      const job = this.#queue[0];
      // The calls that ran before it would be answered only after it.
      if (members.length > 0 && this.#line.isHeavy(job)) break;
      if (job?.kind === 'write') {
        this.#queue.shift();
        if (members.push(job) > 1) lookedAgain = false;
        const end = await this.#runIn(members, job, this.#careful.has(job.options.like));
        if (end === 'lost') return this.#eachAlone(members);
        if (end === 'apart') return;
      } else if (job === undefined && !lookedAgain) {
        // Calls that came in the same turn of the event loop are still being read from their sockets.
        lookedAgain = true;
        await nextTurn();
      } else if (job?.kind === 'begin' || !this.#sync.busy) break;
      // The disk is still busy with the last group: a commit now could not be synced any sooner, so more calls may
      // join.
      else await this.#moreOrFree();
      const now = this.#time();
      if (members.length >= mostCalls || now > latest || (now > enough && !this.#sync.busy)) break;
    }
    const isUnseen = members.every(({ options }) => options.isUnseen);
    if (this.#transaction.commit(isUnseen) !== undefined) return this.#eachAlone(members);
    this.#answer(members);
  }

  /**
   * Runs a call, the last of its group, with a savepoint if it is to be careful. The call is `kept` with the group; or
   * it continued `apart`, in another process, after the rest of the group was committed; or the transaction is `lost`
   * with all the group's changes.
   */
  async #runIn(
    group: WriteJob<unknown>[],
    job: WriteJob<unknown>,
    isCareful: boolean,
  ): Promise<'kept' | 'apart' | 'lost'> {
    if (job.signal?.aborted === true) {
      job.fail(job.signal.reason);
      return 'kept';
    }
    const { journal } = this.#connection;
    journal.clear();
    let cannotLeave = false;
    const place = new Place(this.#connection, false, (signal) => {
      cannotLeave = !isCareful && !journal.isEmpty;
      if (cannotLeave) throw undone();
      return this.#goFar(() => this.#leaveGroup(group, isCareful), signal);
    });
    const db = new SqliteDb(this.#connection, 'gathered', job.signal, place);
    try {
      if (isCareful) this.#transaction.save();
      const succeeded = await this.#line.timed(job, () => job.run(db, () => db.failure));
      if (cannotLeave || !(succeeded || isCareful || journal.isEmpty || place.hasLeft)) {
        this.#careful.add(job.options.like);
        return 'lost';
      }
      if (place.hasLeft && group.length === 1) {
        await this.#endApart(job, succeeded, place.far);
        return 'apart';
      }
      if (!this.#connection.inTransaction) return 'lost';
      if (isCareful) this.#transaction.leaveSavepoint(succeeded);
      return 'kept';
    } catch {
      // Reached only with a failing disk. Each call is run again alone and gets its own error.
      return 'lost';
    } finally {
      db.end();
    }
  }

  /** Undoes the last call of a group, which has changed nothing unless it is in a savepoint, and commits the others. */
  #leaveGroup(group: WriteJob<unknown>[], isInSavepoint: boolean): void {
    if (isInSavepoint) this.#transaction.leaveSavepoint(false);
    const others = group.splice(0, group.length - 1);
    const error = this.#transaction.commit();
    if (error === undefined) {
      this.#answer(others);
      return;
    }
    this.#transaction.rollback();
    group.unshift(...others);
    throw error;
  }

  #goFar(leave: () => void, signal: AbortSignal | undefined): Promise<FarTransaction> {
    const left = () => {
      leave();
      this.#line.hold(true);
    };
    return goFar(this.#connection, this.#farProcesses, left, signal);
  }

  async #endApart(job: WriteJob<unknown>, succeeded: boolean, far: FarTransaction | undefined): Promise<void> {
    try {
      if (succeeded) await this.#commitFar(far);
      else await far?.rollback();
      this.#answer([job]);
    } catch (error) {
      job.fail(error);
    } finally {
      this.#line.hold(false);
    }
  }

  async #commitFar(far: FarTransaction | undefined): Promise<void> {
    if (far === undefined) throw undone();
    await far.commit();
    this.#transaction.noteCommit();
  }

  /**
   * Reruns the calls of a group that could not be committed, each in a transaction of its own: the full disk or the
   * deferred constraint that made the group fail is due to one of them and must not undo the others.
   */
  async #eachAlone(members: readonly WriteJob<unknown>[]): Promise<void> {
    this.#transaction.rollback();
    for (const job of members) {
      this.#queue.unshift(job);
      if (!(await this.#lock())) continue;
      if (this.#queue[0] !== job) {
        this.#transaction.rollback();
        continue;
      }
      this.#queue.shift();
      const end = await this.#runIn([job], job, true);
      if (end === 'apart') continue;
      const error = end === 'kept' ? this.#transaction.commit() : undone();
      if (error === undefined) this.#answer([job]);
      else {
        this.#transaction.rollback();
        job.fail(job.failure ?? error);
      }
    }
  }

  #answer(members: readonly WriteJob<unknown>[]): void {
    this.#groups.add(members.length);
    const answer = (error?: Error) => {
      for (const job of members)
        if (error === undefined) job.answer();
        else job.fail(error);
    };
    if (members.length > 1 || this.#queue.length > 0) {
      this.#lone = false;
      this.#sync.afterSync(answer);
      return;
    }
    // The first of many callers is alone too: only the one after it tells whether they come one at a time.
    if (this.#lone) this.#sync.afterLoneSync(answer);
    else this.#sync.afterSync(answer);
    // Until the turn is over: of many callers, only the first could be taken for a lone one.
    this.#lone = false;
    setImmediate(() => {
      this.#lone = !this.#running;
    });
  }

  /** Lends the writer to a client until its transaction ends. */
  async #lend(): Promise<void> {
    const job = this.#queue.shift();
    if (job?.kind !== 'begin') return;
    job.unwatch();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.#connection.journal.clear();
    this.#lent = new SqliteTransaction(this.#connection, {
      commit: async (far) => {
        try {
          await this.#commitLent(far);
        } finally {
          end();
        }
        await this.#sync.synced();
      },
      rollback: async (far) => {
        this.#transaction.rollback();
        try {
          await far?.rollback();
        } finally {
          end();
        }
      },
      goFar: (signal) => this.#goFar(() => this.#transaction.rollback(), signal),
    });
    this.#lentTo = job.options.who;
    this.#line.hold(true);
    job.grant(this.#lent);
    await ended;
    this.#lent = undefined;
    this.#lentTo = undefined;
    this.#line.passOn(job.worker);
  }

  async #commitLent(far: FarTransaction | undefined): Promise<void> {
    if (far !== undefined) return this.#commitFar(far);
    const error = this.#transaction.commit();
    if (error === undefined) return;
    this.#transaction.rollback();
    throw error;
  }

  #moreOrFree(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
