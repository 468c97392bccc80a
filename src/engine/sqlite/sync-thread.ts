import { getSystemErrorName } from 'node:util';
import { Worker } from 'node:worker_threads';
import { smallThread } from './small-thread.ts';

/** The places of the numbers that both threads see: the request, the one that was answered, its file and what came of it. */
const [asked, done, descriptor, failure, wanted] = [0, 1, 2, 3, 4] as const;

/** Milliseconds after which the thread ends when nobody needs it. */
const idleTime = 5000;

/** So many must have come within that time before there is one: what an idle server does for itself now and then is not worth it. */
const worthIt = 100;

/** What came of a sync that was waited for: it is over, with an error or without; it goes on; or nobody could take it. */
export type SoonResult = { readonly error: Error | undefined } | 'goes on' | 'busy';

/** A thread that syncs files for one that waits for a moment, and no longer: a disk may stall at any time. */
class SyncThread {
  #shared = new Int32Array(new SharedArrayBuffer(5 * Int32Array.BYTES_PER_ELEMENT));
  #worker: Worker | undefined;
  #isLoaded = false;
  #late: ((error: Error | undefined) => void) | undefined;
  #idle: NodeJS.Timeout | undefined;
  /** How many have come without a rest. */
  #came = 0;

  /** Syncs a file and waits so many milliseconds for it; `late` is called if it takes longer. */
  sync(file: number, milliseconds: number, late: (error: Error | undefined) => void): SoonResult {
    this.#keep();
    if (!this.#isLoaded || this.#late !== undefined) return 'busy';
    const shared = this.#shared;
    const request = Atomics.load(shared, asked) + 1;
    Atomics.store(shared, descriptor, file);
    Atomics.store(shared, asked, request);
    Atomics.notify(shared, asked);
    const until = performance.now() + milliseconds;
    for (let left = milliseconds; left > 0 && Atomics.load(shared, done) !== request; left = until - performance.now())
      Atomics.wait(shared, done, request - 1, left);
    if (Atomics.load(shared, done) === request) return { error: this.#error() };
    Atomics.store(shared, wanted, 1);
    // It may have ended just before it could see that.
    if (Atomics.load(shared, done) === request && Atomics.exchange(shared, wanted, 0) === 1)
      return { error: this.#error() };
    this.#late = late;
    this.#worker?.ref();
    return 'goes on';
  }

  #error(): Error | undefined {
    const number = Atomics.load(this.#shared, failure);
    if (number === 0) return undefined;
    const code = getSystemErrorName(number);
    return Object.assign(new Error(`${code}: fdatasync`), { code });
  }

  /** Has the thread there for the next one, and for some time after. */
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
