/** How much the last call says of what is usual. */
const weight = 0.25;
/** Calls that usually take longer than this, in milliseconds, are heavy: more than anybody should wait for two of. */
const heavy = 20;

/** How long calls of one kind work. */
export class UsualTime {
  milliseconds = 0;

  note(milliseconds: number): void {
    this.milliseconds += (milliseconds - this.milliseconds) * weight;
  }

  /** True for a kind that nobody else shares a transaction with, as he would be answered only after it. */
  get isHeavy(): boolean {
    return this.milliseconds > heavy;
  }
}
