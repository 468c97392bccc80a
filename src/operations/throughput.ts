import type { Service } from '../base/service.ts';

const seconds = 60;

/** How many calls a second there were lately: the total is noted every second, for a minute. */
export class Throughput implements Service {
  readonly #total: () => number;
  readonly #noted: number[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(total: () => number) {
    this.#total = total;
  }

  async start(): Promise<void> {
    this.#noted.push(this.#total());
    this.#timer ??= setInterval(() => this.note(), 1000).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Notes the total; the timer does it once a second. */
  note(): void {
    this.#noted.push(this.#total());
    if (this.#noted.length > seconds + 1) this.#noted.shift();
  }

  /** Calls per second over the last minute, or since the start if that is shorter. */
  get perSecond(): number {
    const first = this.#noted[0] ?? 0;
    return this.#noted.length < 2 ? 0 : ((this.#noted.at(-1) ?? 0) - first) / (this.#noted.length - 1);
  }
}
