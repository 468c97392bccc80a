/** A lookup table for names that clients choose, without the properties that every object inherits. */
export const byName = <T>(table: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.assign(Object.create(null), table);
