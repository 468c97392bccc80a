/** The weight of the latest call in the average. */
const weight = 0.25;
/** Kinds whose calls usually take longer than this, in milliseconds, are heavy: no call should wait for two of them. */
const heavy = 10;

/** The usual duration of calls of one kind, as a moving average. */
export class UsualTime {
  milliseconds = 0;

  note(milliseconds: number): void {
    this.milliseconds += (milliseconds - this.milliseconds) * weight;
  }

  /**
   * True for a heavy kind. Its calls share their transaction with no others, which would be answered only after them.
   */
  get isHeavy(): boolean {
    return this.milliseconds > heavy;
  }
}
