/** A statement went through more rows than the event loop can wait for; it has been undone. */
export class Overrun extends Error {
  override readonly name = 'Overrun';
}

/** Milliseconds that a statement may take here. */
const longest = 10;

/** Rows between two looks at the clock. */
const rowsBetweenLooks = 32;

/**
 * Ends statements that take too long for the event loop. Node has neither SQLite's progress handler nor its interrupt, but a
 * function that a statement calls for each row may throw: the statement fails, and its transaction is as it was before.
 */
export class Watch {
  #latest = Number.POSITIVE_INFINITY;
  #rows = 0;

  /** Begins with a statement, or the next step of one; it is let run if it must not be ended. */
  begin(mayEnd: boolean): void {
    this.#latest = mayEnd ? performance.now() + longest : Number.POSITIVE_INFINITY;
    this.#rows = 0;
  }

  /** Called for each row; true, so that it can stand among the conditions. */
  readonly tick = (): number => {
    if (++this.#rows % rowsBetweenLooks === 0 && performance.now() > this.#latest) {
      throw new Overrun('A statement takes too long for the event loop.');
    }
    return 1;
  };
}
