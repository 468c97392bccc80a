/** Where the server reads the time; a test passes a clock that it can advance. */
export interface Clock {
  /** The current time, in UTC. */
  now(): Date;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() };

/** A clock that only moves when it is advanced. */
export class ManualClock implements Clock {
  #now: number;

  constructor(start: Date | string = '2024-01-15T10:30:00.000Z') {
    this.#now = new Date(start).getTime();
  }

  now(): Date {
    return new Date(this.#now);
  }

  /** Moves the clock forward (or back, with a negative number). */
  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }

  set(moment: Date | string): void {
    this.#now = new Date(moment).getTime();
  }
}
