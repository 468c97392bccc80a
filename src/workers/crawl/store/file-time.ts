/** 1970 in the reckoning of FILETIME: intervals of 100 nanoseconds since 1601. */
const epoch = 116_444_736_000_000_000n;

/** The last FILETIME that a bigint holds, in the year 30828. */
const latest = 2n ** 63n - 1n;

/**
 * A moment in milliseconds as a FILETIME, as the protocol carries times in bigints; 0 for none, and for one that is
 * before the first or after the last, which servers and files may claim.
 */
export function fileTime(milliseconds: number | undefined): bigint {
  if (milliseconds === undefined) return 0n;
  const time = BigInt(Math.floor(milliseconds)) * 10_000n + epoch;
  return time < 0n || time > latest ? 0n : time;
}
