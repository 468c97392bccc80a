/** 1970 in the reckoning of FILETIME: intervals of 100 nanoseconds since 1601. */
const epoch = 116_444_736_000_000_000n;

/** A moment in milliseconds as a FILETIME, as the protocol carries times in bigints; 0 for none. */
export const fileTime = (milliseconds: number | undefined): bigint =>
  milliseconds === undefined ? 0n : BigInt(Math.floor(milliseconds)) * 10_000n + epoch;
