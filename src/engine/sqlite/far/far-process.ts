import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { StoredValue } from '../../../base/stored.ts';

/** A statement and its values. */
export interface FarStatement {
  readonly text: string;
  readonly parameters: readonly StoredValue[];
}

/** Requests to a process: open a transaction on a file, run statements in it, end it. */
export type FarRequest =
  | { readonly kind: 'begin'; readonly file: string; readonly pragmas: string; readonly begin: string }
  | ({
      readonly kind: 'query';
      readonly id: number;
      readonly wide: boolean;
      /** True if all rows are to be read before the first is returned. */
      readonly gathered: boolean;
    } & FarStatement)
  | { readonly kind: 'more' | 'stop'; readonly id: number }
  | { readonly kind: 'run'; readonly statements: readonly FarStatement[] }
  | { readonly kind: 'each'; readonly text: string; readonly rows: readonly (readonly StoredValue[])[] }
  | { readonly kind: 'exec'; readonly text: string }
  | { readonly kind: 'end' };

/** Rows of a statement in portions, or how many it changed. */
export interface FarAnswer {
  readonly columns?: readonly string[];
  readonly rows?: readonly (readonly StoredValue[])[];
  readonly isLast?: boolean;
  readonly changes?: number;
}

/** The result of a request, and whether its transaction is still open: a full disk ends one. */
type Told = { readonly isOpen: boolean } & (
  | { readonly answer: FarAnswer }
  | { readonly failure: { readonly message: string; readonly errcode?: number; readonly row?: number } }
);

/** A failure in a process, as SQLite reported it there. */
export class FarFailure extends Error {
  override readonly name = 'FarFailure';
  readonly errcode: number | undefined;
  /** The index of the row that failed, if many were inserted. */
  readonly row: number | undefined;

  constructor({ message, errcode, row }: { message: string; errcode?: number; row?: number }) {
    super(message);
    this.errcode = errcode;
    this.row = row;
  }
}

const script = fileURLToPath(new URL('./far-child.js', import.meta.url));

/** Milliseconds without a request after which the process exits: an idle server uses no memory for it. */
const usualIdleTime = 5000;

/**
 * A helper process. SQLite runs a statement in the thread that calls it, and Node cannot interrupt it there: a process
 * can be killed, whatever it is doing. It starts with the first request and exits when idle.
 */
export class FarProcess {
  readonly #idleTime: number;
  #child: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  #told: ((told: Told) => void) | undefined;
  #isOpen = false;

  constructor(idleTime = usualIdleTime) {
    this.#idleTime = idleTime;
  }

  /** Whether its transaction is open, as far as it has reported. */
  get isOpen(): boolean {
    return this.#child !== undefined && this.#isOpen;
  }

  /** Sends one request at a time; cancelling one kills the process. */
  run(request: FarRequest, signal?: AbortSignal): Promise<FarAnswer> {
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    clearTimeout(this.#idle);
    this.#child ??= this.#start();
    const child = this.#child;
    return new Promise((resolve, reject) => {
      const settled = (): void => {
        signal?.removeEventListener('abort', cancel);
        this.#told = undefined;
        child.channel?.unref();
        // A transaction between two statements is not idle: its client may take its time.
        if (!this.#isOpen) this.#idle = setTimeout(() => void this.kill(), this.#idleTime).unref();
      };
      const cancel = (): void => {
        settled();
        void this.kill();
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', cancel, { once: true });
      this.#told = (told) => {
        this.#isOpen = told.isOpen;
        settled();
        if ('answer' in told) resolve(told.answer);
        else reject(new FarFailure(told.failure));
      };
      child.channel?.ref();
      child.send(request, (error) => {
        if (error !== null) this.#told?.({ isOpen: false, failure: error });
      });
    });
  }

  /** Kills it at once; resolves when it is gone, and with it what it had open. */
  async kill(): Promise<void> {
    clearTimeout(this.#idle);
    const child = this.#child;
    this.#child = undefined;
    const isThere = child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
    const gone = isThere ? new Promise((resolve) => child.once('exit', resolve)) : undefined;
    child?.ref();
    child?.kill('SIGKILL');
    // Its exit is no longer observed, so waiting requests are rejected here.
    this.#told?.({ isOpen: false, failure: { message: 'a helper process of a database was stopped' } });
    await gone;
  }

  #start(): ChildProcess {
    const child = fork(script, {
      serialization: 'advanced',
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('message', (told) => {
      // The script sends nothing else.
      if (this.#child === child) this.#told?.(told as Told);
    });
    const lose = (cause: unknown): void => {
      if (this.#child !== child) return;
      this.#child = undefined;
      this.#told?.({
        isOpen: false,
        failure: { message: `a helper process of a database has exited: ${String(cause)}` },
      });
    };
    child.on('exit', (code, signal) => lose(signal ?? code));
    child.on('error', lose);
    child.unref();
    child.channel?.unref();
    return child;
  }
}

/** Concurrent reading processes; each reads one snapshot at a time, and further readers wait. */
export const mostReading = Math.min(8, Math.max(2, availableParallelism()));

/** Concurrent writing processes, each for another database: none waits for readers. */
export const mostWriting = 64;

/** The helper processes for long work, shared by the databases of an engine. */
export class FarProcesses {
  readonly #most: number;
  readonly #idle: FarProcess[] = [];
  readonly #busy = new Set<FarProcess>();
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** Lends a process for the duration of the work. */
  async use<T>(work: (process: FarProcess) => Promise<T>, signal?: AbortSignal): Promise<T> {
    while (this.#busy.size >= this.#most) await this.#turn(signal);
    const process = this.#idle.pop() ?? new FarProcess();
    this.#busy.add(process);
    try {
      return await work(process);
    } finally {
      this.#busy.delete(process);
      this.#idle.push(process);
      this.#waiting.shift()?.();
    }
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const next = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(next), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.push(next);
    });
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#idle, ...this.#busy].map((process) => process.kill()));
  }
}
