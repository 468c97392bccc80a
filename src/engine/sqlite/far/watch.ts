/** Thrown if a statement takes longer than the event loop may be blocked; its changes have been undone. */
export class Overrun extends Error {
  override readonly name = 'Overrun';
}

/**
 * Milliseconds that a statement may take here; milliseconds of processor time that it may use after those; and the
 * maximum in total.
 */
const longest = 10;
const more = 5;
const atMost = 100;

/** Rows between two checks of the clock. */
const rowsBetweenLooks = 32;

/**
 * Aborts statements that block the event loop for too long. Node offers neither SQLite's progress handler nor its
 * interrupt, but a function that a statement calls for each row may throw: the statement then fails and its changes are
 * undone.
 */
export class Watch {
  #latest = Number.POSITIVE_INFINITY;
  /** The processor time of the thread when the statement was found to be late. */
  #taken: number | undefined;
  #rows = 0;

  /** Starts with a statement or the next step of one; `mayEnd` is false if it must not be aborted. */
  begin(mayEnd: boolean): void {
    this.#latest = mayEnd ? performance.now() + longest : Number.POSITIVE_INFINITY;
    this.#taken = undefined;
    this.#rows = 0;
  }

  /** Called for each row. Returns true, so that it can be one of the conditions. */
  readonly tick = (): number => {
    if (++this.#rows % rowsBetweenLooks === 0 && performance.now() > this.#latest && this.#isOver()) {
      throw new Overrun('A statement takes too long for the event loop.');
    }
    return 1;
  };

  /**
   * On a busy machine a short statement may be late because other processes had the processor; moving it to another
   * process would take longer.
   */
  #isOver(): boolean {
    const taken = threadTime();
    if (taken === undefined) return true;
    this.#taken ??= taken;
    return taken - this.#taken > more || performance.now() > this.#latest + atMost - longest;
  }
}

/** Milliseconds of processor time used by this thread; not available on Node 22. */
function threadTime(): number | undefined {
  const usage = process.threadCpuUsage?.();
  return usage === undefined ? undefined : (usage.user + usage.system) / 1000;
}
