import { closeSync, fdatasync, openSync } from 'node:fs';
import type { Distribution } from '../../base/measures.ts';
import { EngineFault } from '../fault.ts';
import { type SoonResult, syncThread } from './sync-thread.ts';

/** How what was written to a file is put on disk; a test hands in one that it can hold back. */
export interface FileSync {
  /** From a thread of the pool; calls back when it is done. */
  later(descriptor: number, done: (error?: Error | null) => void): void;
  /** Waits for it, which stops everything else, but not for longer than so many milliseconds: then it calls back. */
  soon?(descriptor: number, milliseconds: number, late: (error: Error | undefined) => void): SoonResult;
}

const ofSystem: FileSync = {
  later: fdatasync,
  soon: (descriptor, milliseconds, late) => syncThread.sync(descriptor, milliseconds, late),
};

/**
 * Syncs at once: a second one starts while the first waits for the disk, so that the disk is never idle between two
 * and a commit waits half as long. It covers all that the first does, since it syncs the whole file, and more.
 */
const mostAtOnce = 2;

/**
 * Milliseconds that a sync may usually take to be waited for by a call that is alone, and that it is waited for: to be woken
 * by the pool through the event loop costs as much as the sync of a fast disk, and nobody else waits meanwhile. A slow disk,
 * or one that stalls, would stop those who only read.
 */
const shortSync = 2;

/** Those who are told when a sync has ended. */
type Batch = ((error?: Error) => void)[];

/**
 * Makes commits durable. The writer commits with synchronous=NORMAL, so SQLite has written the commit to the log
 * (`-wal`) but not synced it; this syncs the log from a thread of the pool, and only then is anybody answered.
 * Measured on a disk with an fdatasync of 0.2 ms, 2026-11-15: 32 callers of a one-row update 80,000 calls a second this
 * way, 65,000 with FULL; one caller alone 3,900 and 4,700. The slower the disk, the more FULL stops all else for it.
 * So who is alone is synced at once where the disk is fast: through TDS the p50 of such a call fell from 1.07 to 0.61 ms
 * on a machine with other work to do.
 *
 * Why this is as safe as synchronous=FULL, which does the same fdatasync inside COMMIT and so stops the whole process
 * for the disk each time:
 * - After kill -9 the log is in the page cache as written; nothing is lost with or without a sync.
 * - After a power loss SQLite replays the log up to the last commit whose checksums hold. What was synced is there, and
 *   all commits before it, because the log is written in order and fdatasync covers the whole file, whichever
 *   descriptor it is called on. A torn tail is unacknowledged by definition.
 * - With NORMAL SQLite still syncs where order matters: the header of a new or restarted log (and the folder, when the
 *   file is new) before frames follow, the log before a checkpoint copies from it, and the database file before the log
 *   is used from its start again. So a frame that a restart overwrites is on disk in the database file already.
 * - The log keeps its inode while any connection is open, and the writer's is. Closing this descriptor drops no locks:
 *   SQLite locks the database file and the `-shm`, never the `-wal`.
 * - A sync that fails may have lost the pages for good, so nothing after it is acknowledged: the database must be
 *   opened anew, which reads what is really there.
 */
export class LogSync {
  readonly #path: string;
  readonly #file: FileSync;
  readonly #seconds: Distribution;
  readonly #time: () => number;
  #descriptor: number | undefined;
  /** Those who came with a commit after the last sync had started. */
  #waiting: Batch = [];
  /** The syncs whose calls are not answered yet, in the order of their start. */
  readonly #started: { readonly batch: Batch; ended: boolean }[] = [];
  #running = 0;
  #commits = 0;
  #failure: Error | undefined;
  /** Milliseconds that a sync takes, the last ones counting most. */
  #usual = 0;
  /** Called once when a sync has failed: nothing more is acknowledged. */
  onFailure: (error: Error) => void = () => {};
  /** Called whenever a sync ends and another may start. */
  onFree: () => void = () => {};

  /** `seconds` gets how long each sync took. */
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

  /** Whether a commit now would have to wait for others to be synced first. */
  get busy(): boolean {
    return this.#running >= mostAtOnce;
  }

  /** Milliseconds that a sync usually takes. */
  get usual(): number {
    return this.#usual;
  }

  /** What made a sync fail; nothing may be written after that. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** How many commits were handed over: another number means that a snapshot from before is old. */
  get commits(): number {
    return this.#commits;
  }

  /** Calls back when all that is committed at this moment is on disk. */
  afterSync(done: (error?: Error) => void): void {
    this.#commits++;
    this.#waiting.push(done);
    if (!this.busy) this.#sync();
  }

  /** Resolves when all that is committed at this moment is on disk. */
  synced(): Promise<void> {
    return new Promise((resolve, reject) => this.afterSync((failure) => (failure ? reject(failure) : resolve())));
  }

  /** The same for a commit that nobody else waits beside: where the disk is fast it is on disk on return. */
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
    if (this.#descriptor === undefined || !isFree || this.#usual > shortSync) return 'busy';
    return this.#file.soon?.(this.#descriptor, shortSync, late) ?? 'busy';
  }

  /** Resolves when all that a snapshot taken now can see is on disk; undefined when it is already. */
  seen(): Promise<void> | undefined {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    // Only who committed makes another sync necessary; without one since, the newest sync covers all there is to see.
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
    try {
      if (this.#failure !== undefined) throw this.#failure;
      // The file is there: a commit came before. It is not when the database is opened, so it cannot be opened then.
      this.#descriptor ??= openSync(this.#path, 'r+');
    } catch (error) {
      this.#end(sync, error);
      return;
    }
    this.#running += 1;
    const start = this.#time();
    this.#file.later(this.#descriptor, (error) => {
      this.#running -= 1;
      this.#took(this.#time() - start);
      this.#end(sync, error);
    });
  }

  /**
   * Answers in the order in which syncs started: the system reports a lost page only once, and the sync that was told
   * may be the older one, which has not come back yet. For the same reason nothing is acknowledged after a failure.
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

  /** Notes that a sync has failed, here or inside SQLite: what is written after it cannot be trusted to be kept. */
  fail(cause: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = new EngineFault(
      `The log ${this.#path} could not be put on disk; whether the call was kept is not known.`,
      { cause },
    );
    this.onFailure(this.#failure);
  }
}
