import { type SqlError, sqlError } from '../base/messages/sql-error.ts';
import type { Environment } from './environment.ts';
import type { SessionHost } from './session-host.ts';

/** One of the streams of requests that take turns. */
export interface Runner {
  /** It runs from now on: what the host reports goes to its client. */
  entered(): void;
  /** Ends what it runs with an error. */
  stop(error: SqlError): void;
}

/**
 * Schedules the requests of one MARS connection: one runs at a time, in its own environment, and others get a turn only
 * while it waits for its client, either to read rows or to send those of a bulk load. A statement that writes therefore
 * runs to its end, and nothing that the requests share is used by two of them at once. An environment is a copy of what
 * the last request left.
 */
export class Turns {
  readonly #host: SessionHost;
  #left: Environment;
  #running: Runner | undefined;
  readonly #waiting = new Map<Runner, () => void>();
  /** The active requests. */
  readonly #begun = new Set<Runner>();
  /** The INSERT BULK statements whose rows have not arrived yet. */
  readonly #bulks = new WeakMap<Runner, Environment['bulk']>();
  #writer: Runner | undefined;
  #writerDone: (() => void)[] = [];

  constructor(host: SessionHost) {
    this.#host = host;
    this.#left = host.environment;
    host.requests.inOrder = (write) => this.#inOrder(write);
    host.transactions.others = {
      refuse: (number) => {
        if (this.#begun.size > 1) throw sqlError(number);
      },
      end: (descriptor) => {
        for (const runner of this.#begun) {
          if (runner !== this.#running) runner.stop(sqlError(3971, descriptor.toString(16)));
        }
      },
    };
  }

  /** Runs a request when its turn comes; false if it was cancelled before. */
  async run(runner: Runner, signal: AbortSignal, work: () => Promise<void>): Promise<boolean> {
    if (!(await this.#take(runner, signal))) return false;
    this.#begun.add(runner);
    this.#enter(runner, { ...this.#left, bulk: this.#bulks.get(runner) });
    try {
      await work();
    } finally {
      this.#left = this.#host.environment;
      this.#bulks.set(runner, this.#left.bulk);
      this.#begun.delete(runner);
      this.#pass();
    }
    return true;
  }

  /** Waits for a client and lets others run meanwhile. */
  async aside<T>(runner: Runner, wait: () => Promise<T>): Promise<T> {
    if (this.#running !== runner) return wait();
    const environment = this.#host.environment;
    this.#pass();
    try {
      return await wait();
    } finally {
      await this.#take(runner);
      this.#enter(runner, environment);
    }
  }

  /** A write that waits for its client must not be interleaved with another: rolling it back would affect the other. */
  async #inOrder<T>(write: () => Promise<T>): Promise<T> {
    const runner = this.#running;
    if (runner === undefined || this.#writer === runner) return write();
    while (this.#writer !== undefined) {
      await this.aside(runner, () => new Promise<void>((resolve) => this.#writerDone.push(resolve)));
    }
    this.#writer = runner;
    try {
      return await write();
    } finally {
      this.#writer = undefined;
      for (const done of this.#writerDone.splice(0)) done();
    }
  }

  #take(runner: Runner, signal?: AbortSignal): Promise<boolean> | boolean {
    if (signal?.aborted) return false;
    if (this.#running === undefined) {
      this.#running = runner;
      return true;
    }
    return new Promise((resolve) => {
      const cancel = () => {
        this.#waiting.delete(runner);
        resolve(false);
      };
      this.#waiting.set(runner, () => {
        signal?.removeEventListener('abort', cancel);
        resolve(true);
      });
      signal?.addEventListener('abort', cancel, { once: true });
    });
  }

  #pass(): void {
    const [next] = this.#waiting;
    this.#running = next?.[0];
    if (next === undefined) return;
    this.#waiting.delete(next[0]);
    next[1]();
  }

  #enter(runner: Runner, environment: Environment): void {
    this.#host.environment = environment;
    runner.entered();
  }
}
