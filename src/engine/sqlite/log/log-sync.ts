import { closeSync, fdatasync, openSync } from 'node:fs';
import type { Distribution } from '../../../base/log/measures.ts';
import { EngineFault } from '../../fault.ts';
import { type SoonResult, syncThread } from './sync-thread.ts';

/** How a file is synced to disk; tests pass one that they can hold back. */
export interface FileSync {
  /** Syncs in a thread of the pool and calls back when done. */
  later(descriptor: number, done: (error?: Error | null) => void): void;
  /** Syncs and blocks this thread for at most this many milliseconds; if it takes longer, it calls back later. */
  soon?(descriptor: number, milliseconds: number, late: (error: Error | undefined) => void): SoonResult;
}

const ofSystem: FileSync = {
  later: fdatasync,
  soon: (descriptor, milliseconds, late) => syncThread.sync(descriptor, milliseconds, late),
};

/**
 * The maximum number of concurrent syncs. A second one starts while the first waits for the disk, so that the disk is
 * never idle between two, and a commit waits half as long. Since each sync covers the whole file, the second also
 * covers everything that the first does.
 */
const mostAtOnce = 2;

/**
 * A lone call blocks for its sync if syncs usually take no longer than this many milliseconds, and for no longer than
 * this. Being woken by the thread pool through the event loop costs as much as the sync of a fast disk, and nobody else
 * is waiting in the meantime. With a slow disk, or one that stalls, blocking would stop readers too.
 */
const shortSync = 2;

/** The callbacks to run when a sync has ended. */
type Batch = ((error?: Error) => void)[];

/**
 * Makes commits durable. The writer commits with synchronous=NORMAL, so SQLite has written the commit to the
 * write-ahead log (`-wal`) but not synced it; this class syncs the log in a thread of the pool, and calls are answered
 * only then. Measured on a disk with an fdatasync of 0.2 ms, 2026-11-15: 32 callers of a one-row update make 80,000
 * calls a second this way, 65,000 with FULL; a single caller 3,900 and 4,700. The slower the disk, the longer FULL
 * blocks everything else for it. A lone caller's sync therefore blocks this thread if the disk is fast: through TDS the
 * p50 of such a call fell from 1.07 to 0.61 ms on a machine with other work to do.
 *
 * Why this is as safe as synchronous=FULL, which does the same fdatasync inside COMMIT and so blocks the whole process
 * for the disk each time:
 * - After kill -9 the log is in the page cache as written; nothing is lost with or without a sync.
 * - After a power loss SQLite replays the log up to the last commit with valid checksums. What was synced is there, with
 *   all commits before it, because the log is written in order and fdatasync covers the whole file, whichever descriptor
 *   it is called on. A torn tail is unacknowledged by definition.
 * - Even with NORMAL, SQLite syncs where the order matters: the header of a new or restarted log (and the folder if the
 *   file is new) before frames follow, the log before a checkpoint copies from it, and the database file before the log
 *   is reused from its start. So a frame that a restart overwrites is already on disk in the database file.
 * - The log keeps its inode while any connection is open, and the writer's is. Closing this descriptor releases no locks:
 *   SQLite locks the database file and the `-shm`, never the `-wal`.
 * - A failed sync may have lost the pages for good, so nothing after it is acknowledged: the database must be opened
 *   again, which reads what is really there.
 */
export class LogSync {
  readonly #path: string;
  readonly #file: FileSync;
  readonly #seconds: Distribution;
  readonly #time: () => number;
  #descriptor: number | undefined;
  /** The callbacks of commits that came after the last sync had started. */
  #waiting: Batch = [];
  /** Syncs whose calls have not been answered yet, in the order in which they started. */
  readonly #started: { readonly batch: Batch; ended: boolean }[] = [];
  #running = 0;
  #commits = 0;
  #failure: Error | undefined;
  /** The usual duration of a sync in milliseconds, as a moving average. */
  #usual = 0;
  /** Called once when a sync has failed: nothing more is acknowledged. */
  onFailure: (error: Error) => void = () => {};
  /** Called whenever a sync ends and another may start. */
  onFree: () => void = () => {};

  /** `seconds` records the duration of each sync. */
  constructor(
    databasePath: string,
    seconds: Distribution,
    file: FileSync = ofSystem,
    time: () => number = () => performance.now(),
  ) {
    this.#seconds = seconds;
    this.#path = `${databasePath}-wal`;
    this.#file = file;
    this.#time = time;
  }

  /** Whether a new commit would have to wait for running syncs before its own could start. */
  get busy(): boolean {
    return this.#running >= mostAtOnce;
  }

  /** The usual duration of a sync in milliseconds. */
  get usual(): number {
    return this.#usual;
  }

  /** The error of a failed sync; nothing may be written after it. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** The number of commits passed to it; if it has changed, earlier snapshots are outdated. */
  get commits(): number {
    return this.#commits;
  }

  /**
   * Opens the log, which is there once a transaction has begun. Done before anything is committed: where the process
   * has no descriptor to spare, a call is refused, instead of a commit that can neither be synced nor taken back.
   */
  open(): number {
    this.#descriptor ??= openSync(this.#path, 'r+');
    return this.#descriptor;
  }

  /** Calls back when everything committed so far is on disk. */
  afterSync(done: (error?: Error) => void): void {
    this.#commits++;
    this.#waiting.push(done);
    if (!this.busy) this.#sync();
  }

  /** Resolves when everything committed so far is on disk. */
  synced(): Promise<void> {
    return new Promise((resolve, reject) => this.afterSync((failure) => (failure ? reject(failure) : resolve())));
  }

  /** The same for a commit of a lone caller: if the disk is fast, it is durable on return. */
  afterLoneSync(done: (error?: Error) => void): void {
    const start = this.#time();
    const result = this.#soon((error) => {
      this.#running -= 1;
      this.#took(this.#time() - start);
      this.#end(sync, error);
    });
    if (result === 'busy') {
      this.afterSync(done);
      return;
    }
    this.#commits++;
    const sync = { batch: [done], ended: false };
    if (result === 'goes on') {
      this.#running += 1;
      this.#started.push(sync);
      return;
    }
    if (result.error !== undefined) this.fail(result.error);
    this.#took(this.#time() - start);
    done(this.#failure);
  }

  #soon(late: (error: Error | undefined) => void): SoonResult {
    const isFree = this.#running === 0 && this.#failure === undefined;
    // The first sync tells how fast the disk is.
    const isSlow = this.#commits === 0 || this.#usual > shortSync;
    if (this.#descriptor === undefined || !isFree || isSlow) return 'busy';
    return this.#file.soon?.(this.#descriptor, shortSync, late) ?? 'busy';
  }

  /** Resolves when everything that a snapshot taken now can see is on disk; undefined if it already is. */
  seen(): Promise<void> | undefined {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    // Only a commit makes another sync necessary; if there was none since, the newest sync covers everything visible.
    const batch = this.#waiting.length > 0 ? this.#waiting : this.#started.at(-1)?.batch;
    if (batch === undefined) return undefined;
    return new Promise((resolve, reject) => batch.push((error) => (error === undefined ? resolve() : reject(error))));
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #sync(): void {
    const sync = { batch: this.#waiting, ended: false };
    this.#waiting = [];
    this.#started.push(sync);
    let descriptor: number;
    try {
      if (this.#failure !== undefined) throw this.#failure;
      descriptor = this.open();
    } catch (error) {
      this.#end(sync, error);
      return;
    }
    this.#running += 1;
    const start = this.#time();
    this.#file.later(descriptor, (error) => {
      this.#running -= 1;
      this.#took(this.#time() - start);
      this.#end(sync, error);
    });
  }

  /**
   * Answers in the order in which the syncs started: the operating system reports a lost page only once, and the sync
   * that gets the report may not be the one that lost it, which is still running. For the same reason nothing is
   * acknowledged after a failure.
   */
  #end(sync: { ended: boolean }, cause: unknown): void {
    sync.ended = true;
    if (cause !== null && cause !== undefined) this.fail(cause);
    if (this.#waiting.length > 0) this.#sync();
    for (let first = this.#started[0]; first?.ended === true; first = this.#started[0]) {
      this.#started.shift();
      for (const done of first.batch) done(this.#failure);
    }
    this.onFree();
  }

  #took(milliseconds: number): void {
    this.#usual += (milliseconds - this.#usual) / 16;
    this.#seconds.add(milliseconds / 1000);
  }

  /**
   * Records that a sync has failed, here or inside SQLite: what is written afterwards cannot be assumed to be durable.
   */
  fail(cause: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = new EngineFault(
      `The log ${this.#path} could not be synced to disk; whether the changes of the call were kept is unknown.`,
      { cause },
    );
    this.onFailure(this.#failure);
  }
}
