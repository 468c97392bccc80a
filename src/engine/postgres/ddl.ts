/** Words that may come before `text` where it is not the type of a column. */
const notColumns = new Set([
  'as',
  'set',
  'select',
  'by',
  'on',
  'and',
  'or',
  'where',
  'not',
  'then',
  'else',
  'when',
  'column',
]);

/** Comments, quoted text and quoted names, which stay as they are; `without rowid`; words, spaces, any other character. */
const tokens = /--[^\n]*|'(?:[^']|'')*'|"(?:[^"]|"")*"|\s+without\s+rowid\b|[a-z_]\w*|\s+|./gisu;

/**
 * A migration as PostgreSQL takes it: bytes are `bytea`, text compares by its bytes as on SQLite whatever the cluster's
 * locale, and `without rowid`, which is about SQLite's files, falls away.
 */
export function postgresDdl(text: string): string {
  let previous = '';
  const words = (text.match(tokens) ?? []).map((token) => {
    if (/^\s+without/i.test(token)) return '';
    if (/^(?:\s|--)/.test(token)) return token;
    const before = previous;
    previous = token.toLowerCase();
    if (previous === 'blob' && isName(before)) return 'bytea';
    if (previous === 'text' && isName(before) && !notColumns.has(before)) return 'text collate "C"';
    return token;
  });
  return words.join('');
}

function isName(token: string): boolean {
  return /^(?:[a-z_]|")/.test(token);
}
