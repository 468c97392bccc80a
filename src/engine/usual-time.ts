/** How much the last call says of what is usual. */
const weight = 0.25;
/** Calls that usually take longer than this, in milliseconds, are heavy: no call should wait for two of them. */
const heavy = 10;

/** How long calls of one kind usually take. */
export class UsualTime {
  milliseconds = 0;

  note(milliseconds: number): void {
    this.milliseconds += (milliseconds - this.milliseconds) * weight;
  }

  /** True for a heavy kind, which shares its transaction with no other call: that would be answered only after it. */
  get isHeavy(): boolean {
    return this.milliseconds > heavy;
  }
}
