/** A name of up to three parts, as T-SQL and drivers write it. */
export interface ObjectName {
  /** The database, if given. */
  readonly database?: string;
  /** The schema, if given. */
  readonly schema?: string;
  readonly name: string;
}

/**
 * Blanks belong to one piece of it only: where two could take them, a thousand of them would be shared out in millions
 * of ways.
 */
const part = /(?:\s*(?:\[((?:[^\]]|\]\])*)\]|"((?:[^"]|"")*)")\s*|([^.[\]"]*))(\.|$)/y;

/** Names that were read before: clients call the same few procedures over and over. */
const known = new Map<string, ObjectName>();
const mostKnown = 1000;
/** Three parts of 128 characters with every bracket doubled, and blanks. */
const longest = 1000;

/** Reads `db.dbo.[proc];1`, `..sp_tables` and the like; undefined when the text is no name. */
export function parseObjectName(text: string): ObjectName | undefined {
  if (text.length > longest) return undefined;
  const before = known.get(text);
  if (before !== undefined) return before;
  const name = read(text);
  if (known.size >= mostKnown) known.clear();
  if (name !== undefined) known.set(text, name);
  return name;
}

function read(text: string): ObjectName | undefined {
  const parts: string[] = [];
  const unnumbered = text.replace(/;\d+\s*$/, '');
  part.lastIndex = 0;
  for (;;) {
    const found = part.exec(unnumbered);
    if (!found) return undefined;
    parts.push(found[1]?.replaceAll(']]', ']') ?? found[2]?.replaceAll('""', '"') ?? found[3]?.trim() ?? '');
    if (found[4] === '') break;
  }
  const [name, schema, database, server] = parts.reverse();
  if (!name || server !== undefined) return undefined;
  return { name, ...(schema ? { schema } : {}), ...(database ? { database } : {}) };
}
