import { EngineFault } from '../fault.ts';
import { pragmas } from './connection.ts';
import { isBusy, type KeyLookup, translated } from './errors.ts';
import { existingFile } from './existing-file.ts';
import { FarDb } from './far-db.ts';
import type { FarProcess, FarProcesses, FarStatement } from './far-process.ts';
import type { Entry } from './journal.ts';

/** Entries of a journal that go over in one message. */
const entriesAMessage = 1000;

/** A transaction that writes in another process. */
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

  /** False when the transaction is gone: its process was ended, or SQLite undid it on a full disk. */
  get isOpen(): boolean {
    return this.#process.isOpen;
  }

  /** Makes changes that were made and undone elsewhere. */
  async repeat(entries: readonly Entry[], signal?: AbortSignal): Promise<void> {
    for (let at = 0; at < entries.length; at += entriesAMessage) {
      // No fragment of SQLite has a parameter that is a column.
      const statements = entries.slice(at, at + entriesAMessage) as FarStatement[];
      await this.#send(statements, signal);
    }
  }

  /** What a piece of work may do in it, until it is cancelled: that takes the transaction with it. */
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

  /** Ends it under the work, which gets this error from whatever it asks next. */
  cut(reason: Error): void {
    this.#cutting.abort(reason);
    void this.#process.kill();
  }

  async #end(): Promise<void> {
    try {
      if (this.isOpen) await this.#process.run({ kind: 'end' });
    } catch {
      // What cannot be ended in order is ended with its process, and SQLite undoes it.
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
        : new EngineFault('A transaction could not go on elsewhere.', { cause: error });
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
