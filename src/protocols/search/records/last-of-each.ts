/** The records without those that a later one with the same key takes the place of. */
export function lastOfEach<T>(records: readonly T[], keyOf: (record: T) => string | number | bigint): readonly T[] {
  const last = new Map<string | number | bigint, T>();
  for (const record of records) last.set(keyOf(record), record);
  return last.size === records.length ? records : [...last.values()];
}
