/** How much a row of `site_ranks` counts before it is cut in two. */
export interface Capacity {
  /** The most references in a row of level 0. */
  readonly leaf: number;
  /** The most rows of level 0 in a row of level 1. */
  readonly group: number;
}

/**
 * Stepping over a reference in an index takes a fifth of the time that a row of `site_ranks` takes in a running sum, so
 * the stretches are long and the rows few.
 */
export const usualCapacity: Capacity = { leaf: 1024, group: 64 };
