/** Lock Status Type (2.2.2.3): the result of a request for a lock. */
export const lockStatus = {
  /** Never the answer of a call that ended. */
  unknown: 0,
  heldByAnother: 1,
  held: 2,
  overtaken: 3,
  failed: 4,
} as const;
export type LockStatus = (typeof lockStatus)[keyof typeof lockStatus];
