import type { Log } from '../../base/log.ts';
import { CheckpointFigures } from '../figures.ts';
import type { Checkpointer } from './checkpointer.ts';
import type { Connection } from './connection.ts';

/**
 * A checkpoint comes when the log has grown by so many pages, when nothing was committed for so many milliseconds, or so
 * many after a commit at the latest: while it syncs the file, the syncs of commits take several times as long.
 */
const pagesBetween = 8192;
const calm = 1000;
const longestWait = 10_000;

/** Pages at which writing waits a moment, so that the log can start over. */
const urgentPages = 16_384;

/** What keeps a log from growing for ever though somebody reads an old snapshot. */
interface LogLimit {
  /** Bytes that a log may have before the oldest snapshot is cut; 1 GB unless said otherwise. */
  readonly longest?: number | undefined;
  /** Cuts the oldest snapshot; false when there is none in this process. */
  cutOldest(): boolean;
  /** Whether nobody would mind a commit of somebody else: no writer is at work, and no snapshot is held that may become a transaction. */
  isQuiet(): boolean;
}

const defaultLongest = 1024 ** 3;

/**
 * Decides when the log of one database is copied into its file. Ordinary checkpoints run beside everything; but under
 * writing without a pause there is always one commit more than was copied, and the log could never start over: past a
 * size the writer waits between two groups until a checkpoint has caught up with it.
 */
export class Checkpoints {
  readonly #path: string;
  readonly #checkpointer: Checkpointer;
  readonly #log: Log;
  #timer: NodeJS.Timeout | undefined;
  #lastCommit = 0;
  #running: Promise<void> | undefined;
  #beginning: Promise<void> | undefined;
  readonly #cutOldest: () => boolean;
  readonly #isQuiet: () => boolean;
  /** Pages of the log past which the oldest snapshot is cut, and past which a restart is tried first. */
  readonly #longest: number;
  readonly #urgentPages: number;
  #limit: number;
  /** How many pages the log had when it was last found to have grown. */
  #noted = 0;
  /** How many of them are copied; while the log has no others there is nothing to do. */
  #copied = 0;
  #urgent = false;
  readonly figures = new CheckpointFigures();

  constructor(connection: Connection, checkpointer: Checkpointer, log: Log, { longest, cutOldest, isQuiet }: LogLimit) {
    this.#path = connection.path;
    this.#longest = Math.ceil((longest ?? defaultLongest) / connection.pageSize());
    this.#urgentPages = Math.min(urgentPages, this.#longest);
    this.#limit = this.#urgentPages;
    this.#cutOldest = cutOldest;
    this.#isQuiet = isQuiet;
    this.#checkpointer = checkpointer;
    this.#log = log;
  }

  /** Notes a commit, and how many pages the log has with it. */
  committed(pages: number): void {
    this.#urgent = pages > this.#limit;
    this.#lastCommit = performance.now();
    // The log has started over.
    if (pages < this.#noted) this.#noted = 0;
    if (pages - this.#noted >= pagesBetween) {
      this.#noted = pages;
      this.#start('passive');
    } else if (pages !== this.#copied) this.#timer ??= this.#startWhenCalm(this.#lastCommit + longestWait, calm);
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

  /** Resolves when the writer may go on: at once, except when the log has grown too long or is just begun anew. */
  ifUrgent(): Promise<void> | undefined {
    if (!this.#urgent) return this.#beginning;
    return (this.#running ?? Promise.resolve()).then(() => this.#start('restart'));
  }

  /** Resolves when no checkpoint runs and none will be started by time. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#running;
    await this.#beginning;
  }

  #start(mode: 'passive' | 'restart'): Promise<void> {
    this.#running ??= this.#checkpoint(mode).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #checkpoint(mode: 'passive' | 'restart'): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#urgent = false;
    const start = performance.now();
    try {
      const { busy, pages, copied } = await this.#checkpointer.run(this.#path, mode);
      this.figures.seconds.add((performance.now() - start) / 1000);
      this.#copied = copied;
      if (!busy && copied === pages && copied > 0 && this.#isQuiet()) this.#begin();
      if (mode === 'passive') return;
      if (!busy) this.#limit = this.#urgentPages;
      else if (pages >= this.#longest && this.#cutOldest()) {
        this.#urgent = true;
        this.figures.cutReads++;
        this.#log.warn('a long read was cut, it kept the log of a database from starting over', {
          path: this.#path,
          pages,
        });
      } else {
        // Somebody still reads an old snapshot. Waiting for them would let a slow reader stop the writers.
        const next = Math.max(this.#limit, pages) * 2;
        this.#limit = pages < this.#longest ? Math.min(next, this.#longest) : next;
        this.#log.warn('a long read keeps the log of a database from starting over', { path: this.#path, pages });
      }
    } catch (error) {
      this.figures.failed++;
      this.#log.error('a checkpoint failed', { path: this.#path, error: String(error) });
    }
  }

  /** Begins a log anew that is copied whole: the thread waits for the sync of its header, where the next commit would stop every session for it. */
  #begin(): void {
    const done = ({ copied }: { readonly copied: number }) => {
      this.#copied = copied;
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
