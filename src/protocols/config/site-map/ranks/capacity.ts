/**
 * The most references that a row of level 0 counts before it is cut in two. To step over a reference in an index takes
 * a fifth of the time that a row of `site_ranks` takes in a running sum, so the stretches are long and the rows few.
 */
export const leafCapacity = 1024;

/** The most rows of level 0 that a row of level 1 counts before it is cut in two. */
export const groupCapacity = 64;
