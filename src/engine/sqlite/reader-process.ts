import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { StoredValue } from '../../base/stored.ts';
import { EngineFault } from '../fault.ts';

/** What a process that reads is asked: to take a snapshot of a file, to run statements in it, to give it back. */
export type ReaderRequest =
  | { readonly kind: 'begin'; readonly file: string; readonly pragmas: string }
  | {
      readonly kind: 'query';
      readonly id: number;
      readonly text: string;
      readonly parameters: readonly StoredValue[];
      readonly wide: boolean;
    }
  | { readonly kind: 'more' | 'stop'; readonly id: number }
  | { readonly kind: 'end' };

/** Rows of a statement, some at a time. */
export interface ReaderAnswer {
  readonly columns?: readonly string[];
  readonly rows?: readonly (readonly StoredValue[])[];
  readonly isLast?: boolean;
}

type Told = { readonly answer: ReaderAnswer } | { readonly failure: unknown };

const script = fileURLToPath(new URL('./reader-child.js', import.meta.url));

/** Milliseconds without a request after which the process ends: an idle server holds no memory for it. */
const idleTime = 5000;

/**
 * A process that reads for this one. SQLite runs a statement in whichever thread asks for it, and Node cannot interrupt it
 * there: a process can be killed, whatever it is doing. It starts with the first request and ends when it rests.
 */
export class ReaderProcess {
  #child: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  #told: ((told: Told) => void) | undefined;

  /** Asks one thing at a time; who is cancelled takes the process with it. */
  run(request: ReaderRequest, signal?: AbortSignal): Promise<ReaderAnswer> {
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    clearTimeout(this.#idle);
    this.#child ??= this.#start();
    const child = this.#child;
    return new Promise((resolve, reject) => {
      const settled = (): void => {
        signal?.removeEventListener('abort', cancel);
        this.#told = undefined;
        child.channel?.unref();
        this.#idle = setTimeout(() => this.kill(), idleTime).unref();
      };
      const cancel = (): void => {
        settled();
        this.kill();
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', cancel, { once: true });
      this.#told = (told) => {
        settled();
        if ('answer' in told) resolve(told.answer);
        else reject(told.failure);
      };
      child.channel?.ref();
      child.send(request, (error) => {
        if (error !== null) this.#told?.({ failure: error });
      });
    });
  }

  kill(): void {
    clearTimeout(this.#idle);
    const child = this.#child;
    this.#child = undefined;
    child?.kill('SIGKILL');
  }

  #start(): ChildProcess {
    const child = fork(script, {
      serialization: 'advanced',
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('message', (told) => {
      // The script tells nothing else.
      if (this.#child === child) this.#told?.(told as Told);
    });
    const lose = (cause: unknown): void => {
      if (this.#child !== child) return;
      this.#child = undefined;
      this.#told?.({ failure: new EngineFault('A process that read a database has ended.', { cause }) });
    };
    child.on('exit', (code, signal) => lose(signal ?? code));
    child.on('error', lose);
    child.unref();
    child.channel?.unref();
    return child;
  }
}

/** A process reads one snapshot at a time; who wants another waits. */
const mostProcesses = Math.min(8, Math.max(2, availableParallelism()));

/** The processes that read what may take long, shared by the databases of an engine. */
export class ReaderProcesses {
  readonly #idle: ReaderProcess[] = [];
  readonly #busy = new Set<ReaderProcess>();
  readonly #waiting: (() => void)[] = [];

  /** Lends a process to somebody for as long as the work takes. */
  async use<T>(work: (process: ReaderProcess) => Promise<T>, signal?: AbortSignal): Promise<T> {
    while (this.#busy.size >= mostProcesses) await this.#turn(signal);
    const process = this.#idle.pop() ?? new ReaderProcess();
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

  stop(): void {
    for (const process of [...this.#idle, ...this.#busy]) process.kill();
  }
}
