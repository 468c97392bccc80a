import { statSync } from 'node:fs';
import type { Db, Work } from '../db.ts';
import { closing } from '../fault.ts';
import { existingFile } from './existing-file.ts';
import { FarDb } from './far-db.ts';
import type { FarProcess, FarProcesses } from './far-process.ts';
import type { LogSync } from './log-sync.ts';

/** Sorts and groups that do not fit the cache go to a file: a query must not fill the memory of the machine. */
const pragmas = `
  pragma busy_timeout = 5000;
  pragma query_only = on;
  pragma temp_store = file;
  pragma cache_size = -16384;
  pragma trusted_schema = off;
  pragma case_sensitive_like = on;`;

/** Bytes of a file that SQLite reads through in a part of a turn: a process of its own is of no use for less. */
const soonRead = 4 * 1024 * 1024;

/** Reads that may take long: SQLite works in the thread that asks, so that another process has to do it. */
export class LongReads {
  readonly #path: string;
  readonly #sync: LogSync;
  readonly #processes: FarProcesses;
  readonly #open = new Set<AbortController>();

  constructor(path: string, sync: LogSync, processes: FarProcesses) {
    this.#path = path;
    this.#sync = sync;
    this.#processes = processes;
  }

  /** Reads that are open now. */
  get busy(): number {
    return this.#open.size;
  }

  /** True for work that could keep others waiting if it were done here. */
  takes(work: Work): boolean {
    if (work !== 'linear') return work === 'unbounded';
    return sizeOf(this.#path) + sizeOf(`${this.#path}-wal`) >= soonRead;
  }

  read<T>(work: (db: Db) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#processes.use(async (process) => {
      const cutting = new AbortController();
      this.#open.add(cutting);
      const ending = signal === undefined ? cutting.signal : AbortSignal.any([signal, cutting.signal]);
      try {
        return await this.#readIn(process, work, ending);
      } finally {
        this.#open.delete(cutting);
        // One that was cancelled in the midst of a statement is gone, and its snapshot with it.
        if (!ending.aborted) await process.run({ kind: 'end' });
      }
    }, signal);
  }

  async #readIn<T>(process: FarProcess, work: (db: Db) => Promise<T>, signal: AbortSignal): Promise<T> {
    const file = existingFile(this.#path).href;
    await process.run({ kind: 'begin', file, pragmas, begin: 'begin; select 1 from sqlite_schema limit 1' }, signal);
    // What is seen may not be on disk yet; an answer that rests on it must not outlive it.
    await this.#sync.seen();
    return work(new FarDb({ process, signal, gathered: false, lookup: { indexName: () => undefined } }));
  }

  /** Ends the snapshot that was taken first; false when there is none. */
  cutOldest(reason: Error): boolean {
    const [oldest] = this.#open;
    oldest?.abort(reason);
    return oldest !== undefined;
  }

  stop(): void {
    for (const cutting of this.#open) cutting.abort(closing());
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
