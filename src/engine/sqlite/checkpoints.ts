import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../base/log.ts';
import { CheckpointFigures } from '../figures.ts';
import type { Checkpointer } from './checkpointer.ts';
import type { Clearing } from './clearing.ts';
import type { Connection } from './connection.ts';

/**
 * A checkpoint comes when the log has grown by so many pages, when nothing was committed for so many milliseconds, or so
 * many after a commit at the latest: while it syncs the file, the syncs of commits take several times as long.
 */
const pagesBetween = 8192;
const calm = 1000;
const longestWait = 10_000;

/**
 * Commits of so many pages are those of bulk work, which fills the log in no time: what they bring is copied in portions, so
 * that no sync of the file is a long one.
 */
const largeCommit = 256;
const portion = 1024;

/** Pages, and bytes, at which the log is to start over: less than the file keeps (`keptLog`), so that it need not grow again. */
const urgentPages = 16_384;
const urgentBytes = 40 * 1024 ** 2;

/** Pages that the writer may be kept waiting for. */
const fewPages = 512;

/** Checkpoints beside the writer before it is kept waiting all the same, and how often as long a log may get meanwhile. */
const mostTries = 4;
const mostTimes = 4;

/** Milliseconds that a call which writes is waited for, and how often it is looked at, before the log starts over. */
const longestCall = 250;
const pollInterval = 5;

/** What keeps a log from growing for ever though somebody reads an old snapshot. */
interface LogLimit {
  /** Bytes that a log may have before snapshots are cut for it; 1 GB unless said otherwise. */
  readonly longest?: number | undefined;
  /** What makes a moment in which nobody reads. */
  readonly clearing: Clearing;
  /** Whether a snapshot is held that may become a transaction, which a commit of somebody else would spoil. */
  isHeld(): boolean;
  /** Whether a writer is at work. */
  isWriting(): boolean;
}

const defaultLongest = 1024 ** 3;

/**
 * Decides when the log of one database is copied into its file. Ordinary checkpoints run beside everything; but under
 * writing without a pause there is always one commit more than was copied, and the log could never start over: past a
 * size checkpoints follow each other until few pages are left, and only while those are copied does the writer wait.
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
  /** Pages of the log past which snapshots are cut, and past which a restart is tried first. */
  readonly #longest: number;
  readonly #urgentPages: number;
  #limit: number;
  /** How many pages the log has, had when it was last found to have grown, and how many of them are copied. */
  #pages = 0;
  #noted = 0;
  #copied = 0;
  /** While the log is past its limit and is being copied. */
  #catchingUp: Promise<void> | undefined;
  /** While those who read are asked to make room, and who hears then whether the log started over. */
  #clearing: Promise<void> | undefined;
  #tellRestart: (isDone: boolean) => void = () => {};
  /** Whether the writer is to wait before it goes on. */
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

  /** Notes a commit, and how many pages the log has with it. */
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

  /** While the log is begun anew nothing is to be written, nor a snapshot taken that may become a transaction. */
  get beginning(): Promise<void> | undefined {
    return this.#beginning;
  }

  /** While the log is long and is copied beside the writer: who has much to write should wait, or it will be as long again. */
  get catchingUp(): Promise<void> | undefined {
    return this.#catchingUp;
  }

  /** Resolves when the writer may go on: at once, except when the log has grown too long or is just begun anew. */
  ifUrgent(): Promise<void> | undefined {
    if (!this.#isDue && this.#pages <= this.#limit * mostTimes) return this.#startingOver ?? this.#beginning;
    return this.#startOver();
  }

  /** Resolves when no checkpoint runs and none will be started by time. */
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

  /** Copies, beside the writer, until few pages are left, or somebody who reads keeps the others from being copied. */
  async #copy(): Promise<void> {
    for (let left = Number.POSITIVE_INFINITY, tries = 0; tries < mostTries; tries++) {
      await this.#start('passive');
      const before = left;
      left = this.#pages - this.#copied;
      if (left <= fewPages || left >= before) break;
    }
  }

  /** Copies what is left while nobody writes, so that the next commit begins the log anew. */
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

  /** Lets those who read make room; where they do not, the log may get longer, so that a slow reader does not stop the writers. */
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
      this.#log.warn('long reads were cut, they kept the log of a database from starting over', {
        ...place,
        reads: cut,
      });
    }
    if (isDone) return;
    const next = Math.max(this.#limit, this.#pages) * 2;
    this.#limit = isPastLimit ? next : Math.min(next, this.#longest);
    this.#log.warn('a long read keeps the log of a database from starting over', place);
  }

  /** Lets the log start over once the call that writes has ended; false where somebody was in the way, or the call did not end. */
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

  /** Begins a log anew that is copied whole: the thread waits for the sync of its header, where the next commit would stop every session for it. */
  #begin(): void {
    const done = ({ pages, copied }: { readonly pages: number; readonly copied: number }) => {
      this.#pages = pages;
      this.#copied = copied;
      this.#startedOver();
    };
    // The next commit begins it then, and says what is wrong with the disk.
    const failed = (error: unknown) =>
      this.#log.debug('a log was not begun anew', { path: this.#path, error: String(error) });
    this.#beginning = this.#checkpointer
      .run(this.#path, 'begin')
      .then(done, failed)
      .finally(() => {
        this.#beginning = undefined;
      });
  }
}
