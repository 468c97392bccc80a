/** Texts that have names at the same time. Each connection keeps the plans of its prepared statements. */
const most = 2000;

/** Statements that a connection may have prepared before it is replaced: those whose names are no longer used pile up there. */
export const mostPrepared = 2 * most;

interface Named {
  readonly name: string;
  /** Whether it was asked for since somebody last looked for one to forget. */
  isUsed: boolean;
}

const names = new Map<string, Named>();
let last = 0;

/**
 * The name under which a text is prepared on every connection. Texts that clients make up as they go push out each other:
 * one that is asked for again and again stays.
 */
export function statementName(text: string): string {
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
