/** The maximum number of texts with names. Each connection keeps the plans of its prepared statements. */
const most = 2000;

/**
 * Statements that a connection may prepare before it is replaced: statements whose names are no longer used accumulate
 * there.
 */
export const mostPrepared = 2 * most;

/**
 * The same limit for the total length of their texts in characters: PostgreSQL needs some fifty bytes of memory for
 * each.
 */
export const mostPreparedText = 4 * 1024 * 1024;

/**
 * A longer text is prepared for one run only: it comes from a client, and thousands of these would fill the memory on
 * both sides.
 */
const longest = 16 * 1024;

interface Named {
  readonly name: string;
  /** Whether it was used since the last eviction pass. */
  isUsed: boolean;
}

const names = new Map<string, Named>();
let last = 0;

/**
 * The name under which a text is prepared on every connection, if it has one. One-off texts of clients evict each
 * other; a text that is used again and again stays.
 */
export function statementName(text: string): string | undefined {
  if (text.length > longest) return undefined;
  const known = names.get(text);
  if (known !== undefined) {
    known.isUsed = true;
    return known.name;
  }
  if (names.size >= most) forgetOne();
  const name = `granary_${++last}`;
  names.set(text, { name, isUsed: false });
  return name;
}

/** Evicts the oldest that has not been used a second time; those that have get another round (the clock algorithm). */
function forgetOne(): void {
  for (const [text, named] of names) {
    names.delete(text);
    if (!named.isUsed) return;
    names.set(text, { name: named.name, isUsed: false });
  }
}
