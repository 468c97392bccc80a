/** A statement went through more rows than the event loop can wait for; it has been undone. */
export class Overrun extends Error {
  override readonly name = 'Overrun';
}

/** Milliseconds that a statement may take here, those of the processor that it may take after them, and all in all. */
const longest = 10;
const more = 5;
const atMost = 100;

/** Rows between two looks at the clock. */
const rowsBetweenLooks = 32;

/**
 * Ends statements that take too long for the event loop. Node has neither SQLite's progress handler nor its interrupt, but a
 * function that a statement calls for each row may throw: the statement fails, and its transaction is as it was before.
 */
export class Watch {
  #latest = Number.POSITIVE_INFINITY;
  /** What the thread had taken of the processor when the statement was found to be late. */
  #taken: number | undefined;
  #rows = 0;

  /** Begins with a statement, or the next step of one; it is let run if it must not be ended. */
  begin(mayEnd: boolean): void {
    this.#latest = mayEnd ? performance.now() + longest : Number.POSITIVE_INFINITY;
    this.#taken = undefined;
    this.#rows = 0;
  }

  /** Called for each row; true, so that it can stand among the conditions. */
  readonly tick = (): number => {
    if (++this.#rows % rowsBetweenLooks === 0 && performance.now() > this.#latest && this.#isOver()) {
      throw new Overrun('A statement takes too long for the event loop.');
    }
    return 1;
  };

  /** On a busy machine a short statement may be late because others had the processor: to go elsewhere would take it longer. */
  #isOver(): boolean {
    const taken = threadTime();
    if (taken === undefined) return true;
    this.#taken ??= taken;
    return taken - this.#taken > more || performance.now() > this.#latest + atMost - longest;
  }
}

/** Milliseconds of the processor that this thread has taken; Node 22 cannot tell. */
function threadTime(): number | undefined {
  const usage = process.threadCpuUsage?.();
  return usage === undefined ? undefined : (usage.user + usage.system) / 1000;
}
