import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../../../client/client.ts';
import { takeHostTurns } from '../../../protocols/search/gather/take-host-turns.ts';

/** Called with the milliseconds until the turn. */
type Hears = (wait: number) => void;

/** The time slots for requests to hosts, which all components share through the crawl store. */
export class HostTurns {
  readonly #store: Client;
  /** The times until which hosts have asked for no requests. */
  readonly #rests = new Map<number, number>();

  constructor(store: Client) {
    this.#store = store;
  }

  /** Resolves when a request to a host may be made, with that many milliseconds between any two. */
  async take(host: number, interval: number, signal: AbortSignal, hears: Hears = () => {}): Promise<void> {
    const wait = interval === 0 ? 0 : await this.#turn(host, interval);
    hears(Math.max(wait, this.#left(host)));
    if (wait > 0) await delay(wait, undefined, { signal });
    for (let left = this.#left(host); left > 0; left = this.#left(host)) await delay(left, undefined, { signal });
  }

  /**
   * Makes no requests to a host for that many milliseconds; this applies to all components as far as they reserve
   * slots.
   */
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

  async #turn(host: number, interval: number): Promise<number> {
    const { output } = await this.#store.call(takeHostTurns, { HostID: host, Turns: 1, Interval: interval });
    return output.Wait ?? 0;
  }
}
