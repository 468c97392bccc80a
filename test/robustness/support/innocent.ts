import { setTimeout as delay } from 'node:timers/promises';
import { answers } from './lab-server.ts';
import { RawClient } from './raw-client.ts';

/** What an innocent session went through while others misbehaved; milliseconds. */
export interface Experience {
  readonly calls: number;
  readonly longest: number;
  readonly median: number;
}

/** Milliseconds between two calls. */
const pace = 20;

/** A session that does nothing wrong: it calls a procedure all the while and notes how long each call took. */
export class Innocent implements AsyncDisposable {
  readonly #client: RawClient;
  readonly #waits: number[] = [];
  #stopped = false;
  readonly #calling: Promise<void>;

  private constructor(client: RawClient) {
    this.#client = client;
    this.#calling = this.#call();
    this.#calling.catch(() => {}); // `experience` tells of it
  }

  static async start(port: number): Promise<Innocent> {
    const client = await RawClient.login(port);
    for (let warm = 0; warm < 5; warm++) await answers(client);
    return new Innocent(client);
  }

  /** Ends the calls; rejects when one of them failed. */
  async experience(): Promise<Experience> {
    this.#stopped = true;
    await this.#calling;
    const sorted = this.#waits.toSorted((a, b) => a - b);
    return {
      calls: sorted.length,
      longest: sorted.at(-1) ?? 0,
      median: sorted[Math.floor(sorted.length / 2)] ?? 0,
    };
  }

  async #call(): Promise<void> {
    while (!this.#stopped) {
      const began = performance.now();
      await answers(this.#client);
      this.#waits.push(performance.now() - began);
      await delay(pace);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    await this.#client[Symbol.asyncDispose]();
  }
}
