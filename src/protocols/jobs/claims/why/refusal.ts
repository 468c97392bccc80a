/** A job that was never added, because a daily limit refused it. */
export interface Refusal {
  readonly items: bigint;
  /** When as many items fit within the limit; undefined when they never do. */
  readonly until: Date | undefined;
}
