type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Of some parts of a node those that were written: an optional part that was not is no part at all. */
export const given = <T extends object>(parts: T): Given<T> =>
  // What is left has no undefined among its values.
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as Given<T>;
