/** A cache of names in lower case: clients write the same few in every call. */
const known = new Map<string, string>();
const mostKnown = 1000;
/** Longer than any identifier. */
const longest = 128;

/** A name in lower case, as used to look up procedures and parameters. */
export function lowered(name: string): string {
  const before = known.get(name);
  if (before !== undefined) return before;
  const lower = name.toLowerCase();
  if (name.length > longest) return lower;
  if (known.size >= mostKnown) known.clear();
  known.set(name, lower);
  return lower;
}
