/** Texts that have names at the same time. Each connection keeps the plans of its prepared statements. */
const most = 2000;

/** Statements that a connection may have prepared before it is replaced: those whose names are no longer used pile up there. */
export const mostPrepared = 2 * most;

/** Characters of their texts, likewise: PostgreSQL takes some fifty bytes of memory for each. */
export const mostPreparedText = 4 * 1024 * 1024;

/** A longer text is prepared for one run only: it is a client's own, and thousands of such would fill the memory here and there. */
const longest = 16 * 1024;

interface Named {
  readonly name: string;
  /** Whether it was asked for since somebody last looked for one to forget. */
  isUsed: boolean;
}

const names = new Map<string, Named>();
let last = 0;

/**
 * The name under which a text is prepared on every connection, if it has one. Texts that clients make up as they go push out each other:
 * one that is asked for again and again stays.
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

/** Forgets the oldest that was not asked for a second time; those that were have another round. */
function forgetOne(): void {
  for (const [text, named] of names) {
    names.delete(text);
    if (!named.isUsed) return;
    names.set(text, { name: named.name, isUsed: false });
  }
}
