/** A job that was never added, because a daily limit refused it. */
export interface Refusal {
  readonly items: bigint;
  /** When that many items will fit within the limit; undefined if they never will. */
  readonly until: Date | undefined;
}
