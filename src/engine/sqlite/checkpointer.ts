import { Worker } from 'node:worker_threads';
import { EngineFault } from '../fault.ts';
import type { CheckpointAnswer, CheckpointRequest } from './checkpoint-worker.ts';

/** Runs checkpoints in a thread of its own: they write and sync whole files, which would stop every session here. */
export class Checkpointer {
  #worker: Worker | undefined;
  #stopped = false;
  #lastId = 0;
  readonly #waiting = new Map<number, { resolve(answer: CheckpointAnswer): void; reject(error: Error): void }>();

  run(path: string, mode: 'passive' | 'restart'): Promise<CheckpointAnswer> {
    if (this.#stopped) return Promise.reject(new EngineFault('The engine has stopped.'));
    this.#worker ??= this.#startWorker();
    const worker = this.#worker;
    const request: CheckpointRequest = { id: ++this.#lastId, path, mode };
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.id, { resolve, reject });
      worker.postMessage(request);
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#worker?.terminate();
  }

  #startWorker(): Worker {
    const worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url));
    worker.unref();
    worker.on('message', (answer: CheckpointAnswer) => {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if (answer.error === undefined) waiting?.resolve(answer);
      else waiting?.reject(new EngineFault(answer.error));
    });
    worker.on('error', (error) => this.#lose(worker, error));
    worker.on('exit', () => this.#lose(worker, new EngineFault('The checkpoint thread has ended.')));
    return worker;
  }

  /** A dead thread fails what it was asked and is replaced at the next checkpoint. */
  #lose(worker: Worker, error: unknown): void {
    if (this.#worker === worker) this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(error instanceof Error ? error : new Error(String(error)));
    this.#waiting.clear();
  }
}
