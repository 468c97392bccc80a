/** Names in lower case that were asked for before: clients write the same few in every call. */
const known = new Map<string, string>();
const mostKnown = 1000;
/** Longer than any identifier. */
const longest = 128;

/** A name in lower case, as procedures and parameters are looked up. */
export function lowered(name: string): string {
  const before = known.get(name);
  if (before !== undefined) return before;
  const lower = name.toLowerCase();
  if (name.length > longest) return lower;
  if (known.size >= mostKnown) known.clear();
  known.set(name, lower);
  return lower;
}
