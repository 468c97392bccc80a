import { EngineFault } from '../../fault.ts';
import { pragmas } from '../connection.ts';
import { isBusy, type KeyLookup, translated } from '../errors.ts';
import { existingFile } from '../files/existing-file.ts';
import { FarDb } from './far-db.ts';
import type { FarProcess, FarProcesses, FarStatement } from './far-process.ts';
import type { Entry } from './journal.ts';

/** Journal entries per message. */
const entriesAMessage = 1000;

/** A writing transaction in another process. */
export class FarTransaction {
  readonly #process: FarProcess;
  readonly #lookup: KeyLookup;
  readonly #release: () => void;
  readonly #cutting = new AbortController();

  private constructor(process: FarProcess, lookup: KeyLookup, release: () => void) {
    this.#process = process;
    this.#lookup = lookup;
    this.#release = release;
  }

  /** Takes the write lock of a file; waits while another process has it. */
  static async begin(
    processes: FarProcesses,
    path: string,
    lookup: KeyLookup,
    signal?: AbortSignal,
  ): Promise<FarTransaction> {
    const { process, release } = await lent(processes, signal);
    const file = existingFile(path).href;
    for (;;) {
      try {
        await process.run({ kind: 'begin', file, pragmas: pragmas.writer, begin: 'begin immediate' }, signal);
        return new FarTransaction(process, lookup, release);
      } catch (error) {
        if (isBusy(error) && signal?.aborted !== true) continue;
        release();
        throw signal?.aborted === true ? error : translated(error, 'begin immediate');
      }
    }
  }

  /** False if the transaction is gone: its process was killed, or SQLite rolled it back on a full disk. */
  get isOpen(): boolean {
    return this.#process.isOpen;
  }

  /** Repeats changes that were made and rolled back elsewhere. */
  async repeat(entries: readonly Entry[], signal?: AbortSignal): Promise<void> {
    for (let at = 0; at < entries.length; at += entriesAMessage) {
      // No fragment of SQLite has a parameter that is a column.
      const statements = entries.slice(at, at + entriesAMessage) as FarStatement[];
      await this.#send(statements, signal);
    }
  }

  /** Access for a unit of work, until it is cancelled: that ends the transaction too. */
  db(gathered: boolean, signal?: AbortSignal): FarDb {
    return new FarDb({ process: this.#process, signal: this.#ending(signal), gathered, lookup: this.#lookup });
  }

  async commit(): Promise<void> {
    try {
      await this.db(true).exec('commit');
    } finally {
      await this.#end();
    }
  }

  rollback(): Promise<void> {
    return this.#end();
  }

  /** Aborts it; the work gets this error from its next statement. */
  cut(reason: Error): void {
    this.#cutting.abort(reason);
    void this.#process.kill();
  }

  async #end(): Promise<void> {
    try {
      if (this.isOpen) await this.#process.run({ kind: 'end' });
    } catch {
      // What cannot be ended cleanly is killed with its process, and SQLite rolls it back.
      void this.#process.kill();
    } finally {
      this.#release();
    }
  }

  #ending(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? this.#cutting.signal : AbortSignal.any([signal, this.#cutting.signal]);
  }

  async #send(statements: readonly FarStatement[], signal: AbortSignal | undefined): Promise<void> {
    try {
      await this.#process.run({ kind: 'run', statements }, this.#ending(signal));
    } catch (error) {
      throw signal?.aborted === true
        ? error
        : new EngineFault('A transaction could not be moved to another process.', { cause: error });
    }
  }
}

/** Lends a process until it is released. */
function lent(
  processes: FarProcesses,
  signal: AbortSignal | undefined,
): Promise<{ readonly process: FarProcess; release(): void }> {
  return new Promise((resolve, reject) => {
    const use = (process: FarProcess): Promise<void> =>
      new Promise((release) => resolve({ process, release: () => release() }));
    processes.use(use, signal).catch(reject);
  });
}
