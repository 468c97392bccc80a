import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../../../client/client.ts';
import { takeHostTurns } from '../../../protocols/search/gather/take-host-turns.ts';

/** Turns are taken for so many milliseconds ahead: others want theirs too. */
const ahead = 1000;

interface Waiting {
  go(wait: number): void;
  fail(error: unknown): void;
}

/** The turns to ask hosts for something, which all components share through the crawl store. */
export class HostTurns {
  readonly #store: Client;
  readonly #waiting = new Map<number, Waiting[]>();

  constructor(store: Client) {
    this.#store = store;
  }

  /** Resolves when a request to a host may be made, with so many milliseconds between any two. */
  async take(host: number, interval: number, signal: AbortSignal): Promise<void> {
    if (interval === 0) return;
    const wait = await new Promise<number>((go, fail) => {
      const waiting = this.#waiting.get(host);
      if (waiting === undefined) {
        this.#waiting.set(host, [{ go, fail }]);
        void this.#serve(host, interval);
      } else waiting.push({ go, fail });
    });
    if (wait > 0) await delay(wait, undefined, { signal });
  }

  /** Takes turns for all who wait for a host, until nobody does. */
  async #serve(host: number, interval: number): Promise<void> {
    const waiting = this.#waiting.get(host) ?? [];
    try {
      while (waiting.length > 0) {
        const most = Math.max(1, Math.floor(ahead / interval));
        const turns = Math.min(waiting.length, most);
        const { output } = await this.#store.call(takeHostTurns, { HostID: host, Turns: turns, Interval: interval });
        for (const [place, one] of waiting.splice(0, turns).entries()) one.go((output.Wait ?? 0) + place * interval);
      }
    } catch (error) {
      for (const one of waiting.splice(0)) one.fail(error);
    } finally {
      this.#waiting.delete(host);
    }
  }
}
