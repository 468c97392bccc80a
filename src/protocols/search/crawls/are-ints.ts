/** The greatest int. */
const greatest = 0x7fffffff;

/** True where sums fit into the type that they are told in. */
export const areInts = (sums: Readonly<Record<string, number>>): boolean =>
  Object.values(sums).every((sum) => sum <= greatest);
