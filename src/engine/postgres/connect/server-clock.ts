import type { Clock } from '../../../base/clock.ts';

/** A time reading of the server, and when it was requested and received by the monotonic clock of this process. */
export interface ServerMoment {
  readonly server: number;
  readonly asked: number;
  readonly answered: number;
}

/**
 * Milliseconds by which two clocks may differ before the server's time is adopted: latency explains smaller
 * differences.
 */
const tolerance = 50;

/**
 * The clock of the database server, which is authoritative for all nodes: what one locks for a minute must not look
 * expired to another whose own clock is ahead. Between two readings time advances by the monotonic clock, so that jumps
 * of the machine's clock have no effect.
 */
export class ServerClock implements Clock {
  readonly #monotonic: () => number;
  /** The offset from the monotonic clock to the server's. */
  #ahead: number | undefined;

  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic;
  }

  now(): Date {
    return this.#ahead === undefined ? new Date() : new Date(this.#monotonic() + this.#ahead);
  }

  /** Adopts the server's time. */
  heard({ server, asked, answered }: ServerMoment): void {
    const ahead = server - (asked + answered) / 2;
    const doubt = Math.max(tolerance, answered - asked);
    if (this.#ahead === undefined || Math.abs(ahead - this.#ahead) > doubt) this.#ahead = ahead;
  }
}
