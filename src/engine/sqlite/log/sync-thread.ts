import { availableParallelism } from 'node:os';
import { getSystemErrorName } from 'node:util';
import { Worker } from 'node:worker_threads';
import { smallThread } from './small-thread.ts';

/**
 * The indexes of the shared numbers: the latest request, the latest completed request, the file descriptor, the
 * resulting error, and whether a message is wanted.
 */
const [asked, done, descriptor, failure, wanted] = [0, 1, 2, 3, 4] as const;

/** Milliseconds after which an unused thread ends. */
const idleTime = 5000;

/**
 * The number of syncs within `idleTime` at which the thread is started: it is not worth it for what an idle server
 * occasionally does itself.
 */
const worthIt = 100;

/**
 * Milliseconds for which the caller watches for the end of a sync before it sleeps: being woken takes half as long as the
 * sync of a fast disk. If the sync takes longer, watching was in vain, and the next syncs are not watched.
 */
const watched = 0.25;
const unwatchedAfterVain = 32;
/** With one processor, watching would keep the thread that syncs from running. */
const canWatch = availableParallelism() > 1;

/**
 * The result of a sync that was waited for: it has ended, with or without an error; it is still running; or the thread
 * was not available.
 */
export type SoonResult = { readonly error: Error | undefined } | 'goes on' | 'busy';

/** A thread that syncs files for a caller that blocks for a short time only, since a disk may stall at any time. */
class SyncThread {
  #shared = new Int32Array(new SharedArrayBuffer(5 * Int32Array.BYTES_PER_ELEMENT));
  #worker: Worker | undefined;
  #isLoaded = false;
  #late: ((error: Error | undefined) => void) | undefined;
  #idle: NodeJS.Timeout | undefined;
  /** The number of syncs since the last idle period. */
  #came = 0;
  /** The number of syncs to come that are not watched. */
  #unwatched = 0;

  /** Syncs a file and blocks for at most this many milliseconds; `late` is called if it takes longer. */
  sync(file: number, milliseconds: number, late: (error: Error | undefined) => void): SoonResult {
    this.#keep();
    if (!this.#isLoaded || this.#late !== undefined) return 'busy';
    const shared = this.#shared;
    const request = Atomics.load(shared, asked) + 1;
    Atomics.store(shared, descriptor, file);
    Atomics.store(shared, asked, request);
    Atomics.notify(shared, asked);
    const start = performance.now();
    if (canWatch) this.#watch(request, start + Math.min(watched, milliseconds));
    const until = start + milliseconds;
    for (let left = milliseconds; left > 0 && Atomics.load(shared, done) !== request; left = until - performance.now())
      Atomics.wait(shared, done, request - 1, left);
    if (Atomics.load(shared, done) === request) return { error: this.#error() };
    Atomics.store(shared, wanted, 1);
    // The sync may have ended just before it could see the request for a message.
    if (Atomics.load(shared, done) === request && Atomics.exchange(shared, wanted, 0) === 1)
      return { error: this.#error() };
    this.#late = late;
    this.#worker?.ref();
    return 'goes on';
  }

  #watch(request: number, until: number): void {
    if (this.#unwatched > 0) {
      this.#unwatched--;
      return;
    }
    while (Atomics.load(this.#shared, done) !== request)
      if (performance.now() > until) {
        this.#unwatched = unwatchedAfterVain;
        return;
      }
  }

  #error(): Error | undefined {
    const number = Atomics.load(this.#shared, failure);
    if (number === 0) return undefined;
    const code = getSystemErrorName(number);
    return Object.assign(new Error(`${code}: fdatasync`), { code });
  }

  /** Keeps the thread alive for the next sync, starting it if it is worthwhile. */
  #keep(): void {
    this.#idle ??= setTimeout(() => this.#rest(), idleTime).unref();
    this.#idle.refresh();
    if (this.#worker !== undefined || ++this.#came < worthIt) return;
    const shared = new Int32Array(new SharedArrayBuffer(this.#shared.byteLength));
    const worker = new Worker(new URL('./sync-worker.js', import.meta.url), {
      workerData: shared.buffer,
      resourceLimits: smallThread,
    });
    this.#shared = shared;
    this.#worker = worker;
    worker.unref();
    worker.on('message', (message) => {
      if (message === 'loaded') this.#isLoaded = true;
      else this.#answer(this.#error());
    });
    worker.on('error', () => {}); // Its end follows.
    worker.on('exit', () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#isLoaded = false;
      this.#answer(new Error('the thread that syncs has ended'));
    });
  }

  #answer(error: Error | undefined): void {
    const late = this.#late;
    this.#late = undefined;
    this.#worker?.unref();
    late?.(error);
  }

  #rest(): void {
    this.#idle = undefined;
    if (this.#late !== undefined) {
      this.#keep();
      return;
    }
    this.#came = 0;
    this.#worker = undefined;
    this.#isLoaded = false;
    Atomics.store(this.#shared, descriptor, -1);
    Atomics.add(this.#shared, asked, 1);
    Atomics.notify(this.#shared, asked);
  }
}

/** The one of this process. */
export const syncThread = new SyncThread();
