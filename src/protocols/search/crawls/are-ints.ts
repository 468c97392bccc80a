/** The greatest int. */
const greatest = 0x7fffffff;

/** True if sums fit into the type in which they are reported. */
export const areInts = (sums: Readonly<Record<string, number>>): boolean =>
  Object.values(sums).every((sum) => sum <= greatest);
