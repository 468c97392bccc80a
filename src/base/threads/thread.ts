import { basename } from 'node:path';
import { type ResourceLimits, type Transferable, Worker } from 'node:worker_threads';

/** A message from the thread: that it has loaded, or the result of its request. */
export type ThreadMessage<Answer> = 'loaded' | { readonly answer: Answer } | { readonly failure: unknown };

/** A thread ended before it answered, because it crashed or was stopped. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
  /** Whether the request needed more memory than was available. */
  readonly isOutOfMemory: boolean;

  constructor(message: string, { cause, isOutOfMemory = false }: { cause?: unknown; isOutOfMemory?: boolean } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.isOutOfMemory = isOutOfMemory || codeOf(cause) === 'ERR_WORKER_OUT_OF_MEMORY';
  }
}

const codeOf = (cause: unknown): unknown => (cause instanceof Error && 'code' in cause ? cause.code : undefined);

export interface ThreadOptions {
  readonly resourceLimits?: ResourceLimits;
  /** The maximum number of bytes that a request may take, including buffers; `resourceLimits` only cover the heap. */
  readonly most?: number;
  /** Milliseconds without a request after which the thread ends, so that an idle server uses no memory for it. */
  readonly idleTime?: number;
  /** Node's command-line flags for the thread, instead of those of the process. */
  readonly flags?: readonly string[];
  /** True if the thread holds state beyond the current request: a cancelled request is then allowed to finish. */
  readonly isKept?: boolean;
  /** Called when the thread crashes, whether or not somebody waits for it. */
  readonly onCrash?: (error: ThreadEnded) => void;
}

export interface RunOptions {
  /** Aborted when the caller no longer waits. */
  readonly signal?: AbortSignal | undefined;
  /** What is transferred to the thread instead of copied. */
  readonly transfer?: readonly Transferable[];
  /** Called when the thread begins the request; until then it may be starting, or working on others. */
  readonly onBegin?: () => void;
}

const usualIdleTime = 5000;

/** Milliseconds that a thread gets to finish a cancelled request; starting another one takes as long. */
const grace = 200;

/** Milliseconds between two checks of a working thread's memory. */
const betweenLooks = 100;

interface Job<Request, Answer> {
  readonly request: Request;
  readonly transfer: readonly Transferable[];
  readonly onBegin: (() => void) | undefined;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** A running worker of Node. */
interface Live {
  readonly worker: Worker;
  /** Resolves when it has loaded, or has ended without loading. */
  readonly settled: Promise<void>;
  loaded: boolean;
}

/**
 * Runs requests one after another off the event loop, in a thread that starts with the first request and ends when
 * idle. A thread that crashes fails its current request, and the next request starts another thread.
 */
export class Thread<Request, Answer> {
  readonly #script: URL;
  readonly #options: ThreadOptions;
  readonly #waiting: Job<Request, Answer>[] = [];
  /** The current request, even if nobody waits for it any more. */
  #current: Job<Request, Answer> | undefined;
  #live: Live | undefined;
  readonly #ending = new Set<Promise<unknown>>();
  #idle: NodeJS.Timeout | undefined;
  #grace: NodeJS.Timeout | undefined;
  #look: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(script: URL, options: ThreadOptions = {}) {
    this.#script = script;
    this.#options = options;
  }

  /**
   * Resolves to the thread's answer; rejects with what it threw, with ThreadEnded, or with the reason of the signal.
   */
  run(request: Request, { signal, transfer = [], onBegin }: RunOptions = {}): Promise<Answer> {
    if (this.#stopped) return Promise.reject(stopped());
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const job: Job<Request, Answer> = {
        request,
        transfer,
        onBegin,
        resolve(answer) {
          signal?.removeEventListener('abort', cancel);
          resolve(answer);
        },
        reject(error) {
          signal?.removeEventListener('abort', cancel);
          reject(error);
        },
      };
      const cancel = () => {
        this.#abandon(job);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', cancel, { once: true });
      this.#waiting.push(job);
      this.#next();
    });
  }

  /** Rejects waiting callers, and resolves when the thread has ended and freed its memory. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const jobs = [...(this.#current === undefined ? [] : [this.#current]), ...this.#waiting.splice(0)];
    this.#endLive();
    for (const job of jobs) job.reject(stopped());
    await Promise.all(this.#ending);
  }

  #next(): void {
    if (this.#current !== undefined || this.#stopped) return;
    clearTimeout(this.#idle);
    const job = this.#waiting[0];
    if (job === undefined) {
      this.#rest();
      return;
    }
    this.#live ??= this.#start();
    if (!this.#live.loaded) return;
    this.#waiting.shift();
    this.#live.worker.ref();
    try {
      this.#live.worker.postMessage(job.request, job.transfer);
      this.#current = job;
      job.onBegin?.();
      this.#watch(this.#live, job);
    } catch (error) {
      job.reject(error);
      this.#next();
    }
  }

  /** Ends the thread if it uses too much memory for a request. */
  #watch(live: Live, job: Job<Request, Answer>): void {
    const { most } = this.#options;
    if (most === undefined) return;
    this.#look = setTimeout(async () => {
      const held = await heldBy(live.worker);
      if (this.#current !== job || this.#live !== live) return;
      if (held <= most) return this.#watch(live, job);
      this.#lose(live, new ThreadEnded(`A thread holds ${held} bytes.`, { isOutOfMemory: true }));
      this.#end(live);
    }, betweenLooks).unref();
  }

  #rest(): void {
    this.#live?.worker.unref();
    this.#idle = setTimeout(() => this.#endLive(), this.#options.idleTime ?? usualIdleTime).unref();
  }

  #abandon(job: Job<Request, Answer>): void {
    const place = this.#waiting.indexOf(job);
    if (place >= 0) this.#waiting.splice(place, 1);
    else if (this.#current === job && this.#options.isKept !== true) {
      this.#grace = setTimeout(() => {
        this.#endLive();
        this.#next();
      }, grace).unref();
    }
  }

  #start(): Live {
    const { promise: settled, resolve } = Promise.withResolvers<void>();
    const { resourceLimits = {}, flags } = this.#options;
    const worker = new Worker(this.#script, {
      name: basename(this.#script.pathname),
      resourceLimits,
      ...(flags === undefined ? {} : { execArgv: [...flags] }),
    });
    const live: Live = { worker, settled, loaded: false };
    worker.on('message', (message: ThreadMessage<Answer>) => {
      if (message === 'loaded') {
        live.loaded = true;
        resolve();
      }
      if (this.#live === live) this.#hear(message);
    });
    worker.on('error', (cause) => this.#lose(live, new ThreadEnded('A thread crashed.', { cause })));
    worker.on('messageerror', (cause) => {
      this.#lose(live, new ThreadEnded('The response of a thread could not be read.', { cause }));
      this.#end(live);
    });
    worker.on('exit', (code) => {
      resolve();
      this.#lose(live, new ThreadEnded(`A thread exited unexpectedly with code ${code}.`));
    });
    return live;
  }

  #hear(message: ThreadMessage<Answer>): void {
    const job = this.#current;
    if (message !== 'loaded') {
      this.#current = undefined;
      clearTimeout(this.#grace);
      clearTimeout(this.#look);
      if ('failure' in message) job?.reject(message.failure);
      else job?.resolve(message.answer);
    }
    this.#next();
  }

  #lose(live: Live, error: ThreadEnded): void {
    // A thread that was replaced has no request to fail.
    if (this.#live !== live) return;
    this.#live = undefined;
    this.#options.onCrash?.(error);
    // A thread that fails to load would do so forever, so the first waiting caller is told at once.
    const failed = this.#current ?? this.#waiting.shift();
    this.#current = undefined;
    clearTimeout(this.#grace);
    clearTimeout(this.#look);
    failed?.reject(error);
    this.#next();
  }

  /** Ends the running thread with its current request. */
  #endLive(): void {
    const live = this.#live;
    this.#live = undefined;
    this.#current = undefined;
    clearTimeout(this.#idle);
    clearTimeout(this.#grace);
    clearTimeout(this.#look);
    if (live !== undefined) this.#end(live);
  }

  #end({ worker, settled }: Live): void {
    // V8 takes the whole process down if a thread is terminated while its modules load and one of them awaits.
    const ended = settled.then(() => worker.terminate()).finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }
}

/** The number of bytes that a thread holds; none if it has ended. */
async function heldBy(worker: Worker): Promise<number> {
  try {
    const { used_heap_size: heap, external_memory: outside } = await worker.getHeapStatistics();
    return heap + outside;
  } catch {
    return 0;
  }
}

function stopped(): ThreadEnded {
  return new ThreadEnded('The thread was stopped.');
}
