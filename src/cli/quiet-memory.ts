import type { Service } from '../base/service.ts';
import { openTrim, type Trim } from './freed-memory.ts';

/** Milliseconds between two checks whether there is anything to do. */
const interval = 2000;

/** The share of the time between two looks that the event loop may be busy in a quiet server. */
const quiet = 0.05;

/**
 * The number of quiet checks after which memory is returned: once V8 has started to collect, which it does after three
 * seconds of quiet, and once it has ended.
 */
const moments: readonly number[] = [2, 3, 6];

/** What it goes by; a test hands in its own. */
interface QuietMemoryParts {
  /** Opens the function that returns memory. */
  open(): Promise<Trim>;
  /** The share of the time since it was last asked that the event loop was busy. */
  utilization(): number;
}

/**
 * Returns freed memory to the system when a busy server has become quiet. It stops everything for about 0.2 ms per
 * megabyte that goes back, which nobody notices then, and every later burst reuses what others did not take.
 */
export class QuietMemory implements Service {
  readonly #parts: QuietMemoryParts;
  #trim: Trim;
  #timer: NodeJS.Timeout | undefined;
  #quietLooks = 0;

  constructor(parts: QuietMemoryParts = { open: openTrim, utilization: sinceLastLook() }) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    this.#trim = await this.#parts.open();
    if (this.#trim !== undefined) this.#timer = setInterval(() => this.look(), interval).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#trim = undefined;
  }

  /** Returns memory if the server has been quiet for just so long. */
  look(): void {
    this.#quietLooks = this.#parts.utilization() > quiet ? 0 : this.#quietLooks + 1;
    if (moments.includes(this.#quietLooks)) this.#trim?.();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

function sinceLastLook(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}
