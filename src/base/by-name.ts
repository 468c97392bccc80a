/** A table that is looked into by names that clients choose: without the names that every object inherits. */
export const byName = <T>(table: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.assign(Object.create(null), table);
