import { Worker } from 'node:worker_threads';
import { EngineFault } from '../fault.ts';
import { existingFile } from './existing-file.ts';

/** A checkpoint to run: `passive` waits for nobody, `restart` waits briefly for readers so that the log can start over. */
export interface CheckpointRequest {
  readonly id: number;
  /** The database file, as a URL. */
  readonly file: string;
  readonly mode: 'passive' | 'restart';
}

/** What became of a checkpoint: whether somebody was in its way, and how many pages the log has. */
export interface CheckpointAnswer {
  readonly id: number;
  readonly busy: boolean;
  readonly pages: number;
  readonly error?: string;
}

/** Milliseconds without a checkpoint after which the thread ends: an idle server holds no memory for it. */
const idleTime = 5000;

/** It runs one small function. */
const resourceLimits = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16, stackSizeMb: 1 };

/** Runs checkpoints in a thread of its own: they write and sync whole files, which would stop every session here. */
export class Checkpointer {
  #worker: Worker | undefined;
  #stopped = false;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  readonly #waiting = new Map<number, { resolve(answer: CheckpointAnswer): void; reject(error: Error): void }>();

  run(path: string, mode: 'passive' | 'restart'): Promise<CheckpointAnswer> {
    if (this.#stopped) return Promise.reject(new EngineFault('The engine has stopped.'));
    clearTimeout(this.#idle);
    this.#worker ??= this.#startWorker();
    const worker = this.#worker;
    const request: CheckpointRequest = { id: ++this.#lastId, file: existingFile(path).href, mode };
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.id, { resolve, reject });
      worker.postMessage(request);
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#idle);
    await this.#worker?.terminate();
  }

  #startWorker(): Worker {
    const worker = new Worker(new URL('./checkpoint-worker.js', import.meta.url), { resourceLimits });
    worker.unref();
    worker.on('message', (answer: CheckpointAnswer) => {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if (answer.error === undefined) waiting?.resolve(answer);
      else waiting?.reject(new EngineFault(answer.error));
      if (this.#waiting.size === 0) this.#restUntilNeeded(worker);
    });
    worker.on('error', (error) => this.#lose(worker, error));
    worker.on('exit', () => this.#lose(worker, new EngineFault('The checkpoint thread has ended.')));
    return worker;
  }

  #restUntilNeeded(worker: Worker): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      this.#worker = undefined;
      void worker.terminate();
    }, idleTime).unref();
  }

  /** A dead thread fails what it was asked and is replaced at the next checkpoint. */
  #lose(worker: Worker, error: unknown): void {
    // One that was sent away idle has nothing to answer for; whoever waits now waits for its successor.
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(error instanceof Error ? error : new Error(String(error)));
    this.#waiting.clear();
  }
}
