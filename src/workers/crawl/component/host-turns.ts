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
  /** Until when hosts want to be left alone. */
  readonly #rests = new Map<number, number>();

  constructor(store: Client) {
    this.#store = store;
  }

  /** Resolves when a request to a host may be made, with so many milliseconds between any two. */
  async take(host: number, interval: number, signal: AbortSignal): Promise<void> {
    const wait = interval === 0 ? 0 : await this.#turn(host, interval);
    if (wait > 0) await delay(wait, undefined, { signal });
    for (let left = this.#left(host); left > 0; left = this.#left(host)) await delay(left, undefined, { signal });
  }

  /** Leaves a host alone for so many milliseconds; all components do, as far as they take turns. */
  async rest(host: number, milliseconds: number): Promise<void> {
    const more = milliseconds - Math.max(0, this.#left(host));
    if (more <= 0) return;
    this.#rests.set(host, Date.now() + milliseconds);
    await this.#store.call(takeHostTurns, { HostID: host, Turns: 1, Interval: Math.ceil(more) });
  }

  #left(host: number): number {
    const left = (this.#rests.get(host) ?? 0) - Date.now();
    if (left <= 0) this.#rests.delete(host);
    return left;
  }

  #turn(host: number, interval: number): Promise<number> {
    return new Promise<number>((go, fail) => {
      const waiting = this.#waiting.get(host);
      if (waiting === undefined) {
        this.#waiting.set(host, [{ go, fail }]);
        void this.#serve(host, interval);
      } else waiting.push({ go, fail });
    });
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
