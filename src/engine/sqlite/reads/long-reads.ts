import { statSync } from 'node:fs';
import { sqlError } from '../../../base/messages/sql-error.ts';
import type { Db, Work } from '../../db.ts';
import { closing } from '../../fault.ts';
import { FarDb } from '../far/far-db.ts';
import type { FarProcess, FarProcesses } from '../far/far-process.ts';
import { existingFile } from '../files/existing-file.ts';
import { Barrier } from '../log/barrier.ts';
import type { Reads } from '../log/clearing.ts';
import type { LogSync } from '../log/log-sync.ts';

/** Sorts and groups that exceed the cache use a temporary file: a query must not fill the machine's memory. */
const pragmas = `
  pragma busy_timeout = 5000;
  pragma query_only = on;
  pragma temp_store = file;
  pragma cache_size = -16384;
  pragma trusted_schema = off;
  pragma case_sensitive_like = on;`;

/** Bytes that SQLite scans in a fraction of a turn: for less, a separate process is not worth its cost. */
const soonRead = 4 * 1024 * 1024;

/** Reads that may take long: SQLite works in the calling thread, so another process has to run them. */
export class LongReads implements Reads {
  readonly #path: string;
  readonly #sync: LogSync;
  readonly #processes: FarProcesses;
  readonly #open = new Set<AbortController>();
  /** Down while the log is being restarted. */
  readonly #barrier = new Barrier();
  #stopped = false;

  constructor(path: string, sync: LogSync, processes: FarProcesses) {
    this.#path = path;
    this.#sync = sync;
    this.#processes = processes;
  }

  /** Reads that are open now. */
  get busy(): number {
    return this.#open.size;
  }

  /** True for work that could delay others if it ran here. */
  takes(work: Work): boolean {
    if (work !== 'linear') return work === 'unbounded';
    return sizeOf(this.#path) + sizeOf(`${this.#path}-wal`) >= soonRead;
  }

  async read<T>(work: (db: Db) => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (;;) {
      if (this.#barrier.isDown !== undefined) await orAborted(this.#barrier.isDown, signal);
      const done = await this.#processes.use(async (process) => {
        // While waiting, the process is available to reads of other databases.
        if (this.#barrier.isDown !== undefined) return undefined;
        return { value: await this.#readWith(process, work, signal) };
      }, signal);
      if (done !== undefined) return done.value;
    }
  }

  async #readWith<T>(process: FarProcess, work: (db: Db) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#stopped) throw closing();
    const cutting = new AbortController();
    this.#open.add(cutting);
    const ending = signal === undefined ? cutting.signal : AbortSignal.any([signal, cutting.signal]);
    try {
      return await this.#readIn(process, work, ending);
    } finally {
      this.#open.delete(cutting);
      // One that is cancelled between two statements has still its snapshot, which would keep the log from restarting.
      if (ending.aborted) await process.kill();
      else await process.run({ kind: 'end' });
    }
  }

  async #readIn<T>(process: FarProcess, work: (db: Db) => Promise<T>, signal: AbortSignal): Promise<T> {
    const file = existingFile(this.#path).href;
    await process.run({ kind: 'begin', file, pragmas, begin: 'begin; select 1 from sqlite_schema limit 1' }, signal);
    // The snapshot may include commits that are not on disk yet; the result must not be returned before they are.
    await this.#sync.seen();
    return work(new FarDb({ process, signal, gathered: false, lookup: { indexName: () => undefined } }));
  }

  running(): Iterable<object> {
    return this.#stopped ? [] : this.#open;
  }

  isRunning(read: object): boolean {
    return !this.#stopped && this.#controllerOf(read) !== undefined;
  }

  cut(read: object): void {
    this.#controllerOf(read)?.abort(sqlError(3966));
  }

  #controllerOf(read: object): AbortController | undefined {
    return this.#open.values().find((each) => each === read);
  }

  holdBack(): void {
    if (!this.#stopped) this.#barrier.lower();
  }

  letIn(): void {
    this.#barrier.raise();
  }

  stop(): void {
    this.#stopped = true;
    this.#barrier.raise();
    for (const cutting of this.#open) cutting.abort(closing());
  }
}

/** Waits for a promise, or until the caller is cancelled. */
async function orAborted(awaited: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  const { promise: aborted, resolve: abort } = Promise.withResolvers<void>();
  const cancelled = () => abort();
  signal?.addEventListener('abort', cancelled, { once: true });
  await Promise.race([awaited, aborted]);
  signal?.removeEventListener('abort', cancelled);
  signal?.throwIfAborted();
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
