import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../../base/log/log.ts';
import { CheckpointFigures } from '../../figures.ts';
import type { Connection } from '../connection.ts';
import type { Checkpointer } from './checkpointer.ts';
import type { Clearing } from './clearing.ts';

/**
 * A checkpoint runs after this many pages have been added to the log, when nothing has been committed for `calm`
 * milliseconds, or at the latest `longestWait` milliseconds after a commit. Not more often: while it syncs the database
 * file, the syncs of commits take several times as long.
 */
const pagesBetween = 8192;
const calm = 1000;
const longestWait = 10_000;

/**
 * Commits of at least this many pages are bulk work, which fills the log quickly: it is checkpointed in portions, so
 * that no sync of the file takes long.
 */
const largeCommit = 256;
const portion = 1024;

/**
 * The size in pages and in bytes at which the log should restart: less than the file keeps (`keptLog`), so that the
 * file need not grow again.
 */
const urgentPages = 16_384;
const urgentBytes = 40 * 1024 ** 2;

/** Remaining pages for whose checkpoint the writer may be kept waiting. */
const fewPages = 512;

/**
 * Attempts of a checkpoint concurrent with the writer before the writer is made to wait anyway, and the factor by which
 * the log may exceed its limit in the meantime.
 */
const mostTries = 4;
const mostTimes = 4;

/** Milliseconds to wait for a running write before the log restarts, and between two checks. */
const longestCall = 250;
const pollInterval = 5;

/** Limits the growth of the log while a reader holds an old snapshot. */
interface LogLimit {
  /** The size in bytes above which reads are aborted to let the log restart; 1 GB by default. */
  readonly longest?: number | undefined;
  /** Clears the log of readers. */
  readonly clearing: Clearing;
  /** Whether a snapshot is held that may become a transaction; any other commit would make that fail. */
  isHeld(): boolean;
  /** Whether a write is running. */
  isWriting(): boolean;
}

const defaultLongest = 1024 ** 3;

/**
 * Decides when the write-ahead log of one database is checkpointed. Ordinary checkpoints run concurrently with
 * everything else. But under continuous writing there is always one more commit than has been copied, so the log could
 * never restart. Above a certain size, checkpoints therefore follow one another until few pages remain, and the writer
 * waits only while those are copied.
 */
export class Checkpoints {
  readonly #path: string;
  readonly #checkpointer: Checkpointer;
  readonly #log: Log;
  #timer: NodeJS.Timeout | undefined;
  #lastCommit = 0;
  #running: Promise<void> | undefined;
  #startingOver: Promise<void> | undefined;
  #beginning: Promise<void> | undefined;
  readonly #users: Pick<LogLimit, 'clearing' | 'isHeld' | 'isWriting'>;
  /** The number of pages above which reads are aborted, and the one above which a restart is attempted. */
  readonly #longest: number;
  readonly #urgentPages: number;
  #limit: number;
  /** The pages in the log, the pages at the last checkpoint triggered by growth, and the pages already copied. */
  #pages = 0;
  #noted = 0;
  #copied = 0;
  /** Pending while the log is above its limit and is being copied. */
  #catchingUp: Promise<void> | undefined;
  /**
   * Pending while readers are asked to release their snapshots; `#tellRestart` then learns whether the log could
   * restart.
   */
  #clearing: Promise<void> | undefined;
  #tellRestart: (isDone: boolean) => void = () => {};
  /** Whether the writer has to wait before its next group. */
  #isDue = false;
  readonly figures = new CheckpointFigures();

  constructor(connection: Connection, checkpointer: Checkpointer, log: Log, { longest, ...users }: LogLimit) {
    this.#path = connection.path;
    const pageSize = connection.pageSize();
    this.#longest = Math.ceil((longest ?? defaultLongest) / pageSize);
    this.#urgentPages = Math.min(urgentPages, urgentBytes / pageSize, this.#longest / 2);
    this.#limit = this.#urgentPages;
    this.#users = users;
    this.#checkpointer = checkpointer;
    this.#log = log;
  }

  /** Records a commit, after which the log has this many pages. */
  committed(pages: number): void {
    this.#lastCommit = performance.now();
    const hasStartedOver = pages < this.#pages;
    const added = hasStartedOver ? pages : pages - this.#pages;
    this.#pages = pages;
    if (hasStartedOver) this.#startedOver();
    if (pages - this.#noted >= (added >= largeCommit ? portion : pagesBetween) && this.#running === undefined) {
      this.#noted = pages;
      this.#start('passive');
    } else if (pages !== this.#copied) this.#timer ??= this.#startWhenCalm(this.#lastCommit + longestWait, calm);
    if (pages > this.#limit && !this.#isDue && this.#clearing === undefined) this.#catchingUp ??= this.#catchUp();
  }

  #startWhenCalm(latest: number, milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => {
      const now = performance.now();
      const left = Math.min(this.#lastCommit + calm, latest) - now;
      if (left > 0) this.#timer = this.#startWhenCalm(latest, left);
      else this.#start('passive');
    }, milliseconds).unref();
  }

  /**
   * Pending while the header of a restarted log is being written: in the meantime nothing may be written, and no
   * snapshot may be taken that may become a transaction.
   */
  get beginning(): Promise<void> | undefined {
    return this.#beginning;
  }

  /**
   * Pending while an overlong log is copied concurrently with the writer: callers with much to write should wait
   * (backpressure), or the log will have the same length again.
   */
  get catchingUp(): Promise<void> | undefined {
    return this.#catchingUp;
  }

  /** Resolves when the writer may continue: immediately, unless the log has grown too long or is being restarted. */
  ifUrgent(): Promise<void> | undefined {
    if (!this.#isDue && this.#pages <= this.#limit * mostTimes) return this.#startingOver ?? this.#beginning;
    return this.#startOver();
  }

  /** Resolves when no checkpoint runs and none is scheduled. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#clearing;
    await this.#catchingUp;
    await this.#running;
    await this.#beginning;
  }

  #start(mode: 'passive' | 'restart'): Promise<void> {
    this.#running ??= this.#checkpoint(mode).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #catchUp(): Promise<void> {
    await this.#copy();
    this.#isDue = true;
    this.#catchingUp = undefined;
  }

  /** Copies concurrently with the writer until few pages remain, or until a reader keeps the rest from being copied. */
  async #copy(): Promise<void> {
    for (let left = Number.POSITIVE_INFINITY, tries = 0; tries < mostTries; tries++) {
      await this.#start('passive');
      const before = left;
      left = this.#pages - this.#copied;
      if (left <= fewPages || left >= before) break;
    }
  }

  /** Copies the rest while nobody writes, so that the next commit restarts the log. */
  #startOver(): Promise<void> {
    this.#startingOver ??= this.#copyLast().finally(() => {
      this.#startingOver = undefined;
    });
    return this.#startingOver;
  }

  async #copyLast(): Promise<void> {
    await this.#catchingUp;
    await this.#running;
    await this.#start('restart');
    await this.#beginning;
  }

  async #checkpoint(mode: 'passive' | 'restart'): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (mode === 'restart') this.#isDue = false;
    const start = performance.now();
    try {
      const { busy, pages, copied } = await this.#checkpointer.run(this.#path, mode);
      this.figures.seconds.add((performance.now() - start) / 1000);
      this.#copied = copied;
      const isWhole = !busy && copied === pages && copied > 0;
      // Nobody writes during a restart: its writer waits for it.
      if (isWhole && !this.#users.isHeld() && (mode === 'restart' || !this.#users.isWriting())) this.#begin();
      if (mode === 'restart') this.#restarted(busy);
    } catch (error) {
      this.figures.failed++;
      this.#log.error('a checkpoint failed', { path: this.#path, error: String(error) });
    }
  }

  #restarted(busy: boolean): void {
    if (!busy) this.#limit = this.#urgentPages;
    this.#tellRestart(!busy);
    if (busy) this.#clearing ??= this.#clear();
  }

  /**
   * Asks readers to release their snapshots. If they do not, the log may grow further, so that a slow reader does not
   * stop the writers.
   */
  async #clear(): Promise<void> {
    const isPastLimit = this.#pages >= this.#longest;
    const pages = () => this.#pages;
    const { isDone, cut } = await this.#users.clearing.run({
      isPastLimit,
      get pages() {
        return pages();
      },
      mostGrowth: this.#longest,
      copy: () => this.#copy(),
      startOver: () => this.#startOverSoon(),
    });
    this.#clearing = undefined;
    const place = { path: this.#path, pages: this.#pages };
    if (cut > 0) {
      this.figures.cutReads += cut;
      this.#log.warn('long reads aborted because they kept the log of a database from restarting', {
        ...place,
        reads: cut,
      });
    }
    if (isDone) return;
    const next = Math.max(this.#limit, this.#pages) * 2;
    this.#limit = isPastLimit ? next : Math.min(next, this.#longest);
    this.#log.warn('a long read keeps the log of a database from restarting', place);
  }

  /**
   * Restarts the log once the running write has ended; false if a reader blocked it or the write did not end in time.
   */
  async #startOverSoon(): Promise<boolean> {
    const told: { isDone?: boolean } = {};
    this.#tellRestart = (isDone) => {
      told.isDone = isDone;
    };
    this.#isDue = true;
    const end = performance.now() + longestCall;
    while (told.isDone === undefined && performance.now() < end)
      await (this.#users.isWriting() ? delay(pollInterval) : this.#startOver());
    return told.isDone === true;
  }

  #startedOver(): void {
    this.#noted = 0;
    this.#isDue = false;
  }

  /**
   * Starts a completely copied log from its beginning. The thread waits for the sync of the log's header; otherwise the
   * next commit would wait for it, and block every session.
   */
  #begin(): void {
    const done = ({ pages, copied }: { readonly pages: number; readonly copied: number }) => {
      this.#pages = pages;
      this.#copied = copied;
      this.#startedOver();
    };
    // Then the next commit writes the header, and reports what is wrong with the disk.
    const failed = (error: unknown) =>
      this.#log.debug('a log was not restarted', { path: this.#path, error: String(error) });
    this.#beginning = this.#checkpointer
      .run(this.#path, 'begin')
      .then(done, failed)
      .finally(() => {
        this.#beginning = undefined;
      });
  }
}
