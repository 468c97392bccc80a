import type { Clock } from '../../base/clock.ts';

/** A moment of the server, and when it was asked and answered by the monotonic clock of this process. */
export interface ServerMoment {
  readonly server: number;
  readonly asked: number;
  readonly answered: number;
}

/** Milliseconds that two clocks may differ before the server's word is taken anew: less is the way that a word takes. */
const tolerance = 50;

/**
 * The clock of the database server, which decides for all nodes: what one locks for a minute another must not find expired
 * because its own clock is ahead. Between two words of the server time goes on by the monotonic clock, so that a clock of
 * the machine that jumps changes nothing.
 */
export class ServerClock implements Clock {
  readonly #monotonic: () => number;
  /** What the monotonic clock lacks to the server's. */
  #ahead: number | undefined;

  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic;
  }

  now(): Date {
    return this.#ahead === undefined ? new Date() : new Date(this.#monotonic() + this.#ahead);
  }

  /** Takes the server's word. */
  heard({ server, asked, answered }: ServerMoment): void {
    const ahead = server - (asked + answered) / 2;
    const doubt = Math.max(tolerance, answered - asked);
    if (this.#ahead === undefined || Math.abs(ahead - this.#ahead) > doubt) this.#ahead = ahead;
  }
}
