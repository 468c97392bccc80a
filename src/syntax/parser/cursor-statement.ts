import type { CursorName, CursorStatement, DeclareCursor, FetchCursor } from '../ast/statement.ts';
import type { TokenStream } from './token-stream.ts';

/** The words that are allowed between a cursor's name and CURSOR, or between CURSOR and FOR. */
const isoWords = new Set(['INSENSITIVE', 'SCROLL']);
const words = new Set([
  'LOCAL',
  'GLOBAL',
  'FORWARD_ONLY',
  'SCROLL',
  'STATIC',
  'KEYSET',
  'DYNAMIC',
  'FAST_FORWARD',
  'READ_ONLY',
  'SCROLL_LOCKS',
  'OPTIMISTIC',
  'TYPE_WARNING',
]);

/** True when DECLARE is followed by a cursor's name rather than a variable. */
export const isCursorDeclaration = (cursor: TokenStream): boolean => cursor.peek(1).kind !== 'variable';

/** DECLARE name [INSENSITIVE] [SCROLL] CURSOR [options] FOR query, which may end in FOR READ ONLY or FOR UPDATE. */
export function declareCursor(cursor: TokenStream, line: number): DeclareCursor {
  cursor.expect('DECLARE');
  const name = cursor.name();
  const before = wordsOf(cursor, isoWords);
  cursor.expect('CURSOR');
  const after = wordsOf(cursor, words);
  cursor.expect('FOR');
  const query = cursor.cursorQuery();
  const has = (word: string): boolean => before.has(word) || after.has(word);
  const type = typeOf(has);
  // Naming a kind that can scroll makes the cursor scroll; the words of the ISO syntax do not.
  const scrolls = has('SCROLL') || after.has('STATIC') || after.has('KEYSET') || after.has('DYNAMIC');
  return {
    kind: 'declareCursor',
    line,
    name,
    local: after.has('LOCAL'),
    scroll: scrolls && !after.has('FORWARD_ONLY'),
    type,
    isReadOnly: type === 'static' || type === 'fast forward' || has('READ_ONLY') || query.purpose === 'read only',
    locks: after.has('SCROLL_LOCKS'),
    warns: after.has('TYPE_WARNING'),
    query,
  };
}

/** What scrolls without saying how has its rows counted, so that FETCH ABSOLUTE finds them. */
function typeOf(has: (word: string) => boolean): DeclareCursor['type'] {
  if (has('INSENSITIVE') || has('STATIC')) return 'static';
  if (has('FAST_FORWARD')) return 'fast forward';
  if (has('KEYSET')) return 'keyset';
  return has('SCROLL') && !has('DYNAMIC') ? 'keyset' : 'dynamic';
}

function wordsOf(cursor: TokenStream, allowed: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  while (cursor.isOneOf(allowed)) found.add(cursor.next().upper);
  return found;
}

/** OPEN, CLOSE and DEALLOCATE. */
export function cursorStatement(cursor: TokenStream, line: number, kind: CursorStatement['kind']): CursorStatement {
  cursor.next();
  return { kind, line, cursor: cursorName(cursor) };
}

/** [GLOBAL] name. */
export function cursorName(cursor: TokenStream): CursorName {
  const global = cursor.accept('GLOBAL');
  return { name: cursor.name(), global };
}

const directions = {
  NEXT: 'next',
  PRIOR: 'prior',
  FIRST: 'first',
  LAST: 'last',
  ABSOLUTE: 'absolute',
  RELATIVE: 'relative',
} as const;

/** FETCH [[NEXT | PRIOR | FIRST | LAST | ABSOLUTE n | RELATIVE n] FROM] name [INTO @a, …]. */
export function fetchCursor(cursor: TokenStream, line: number): FetchCursor {
  cursor.expect('FETCH');
  const { direction, ...at } = directionOf(cursor);
  cursor.accept('FROM');
  const name = cursorName(cursor);
  const into = cursor.accept('INTO') ? cursor.list(() => cursor.variable()) : [];
  return { kind: 'fetch', line, direction, ...at, cursor: name, into };
}

function directionOf(cursor: TokenStream): Pick<FetchCursor, 'direction' | 'at'> {
  const { upper } = cursor.peek();
  // A cursor may itself be named Next: a direction is followed by FROM, a place or another name.
  const named = cursor.peek(1).kind === 'end' || cursor.peek(1).upper === ';' || cursor.peek(1).upper === 'INTO';
  if (named || !(upper in directions)) return { direction: 'next' };
  cursor.next();
  // The test above ensures that the word is one of the keys.
  const direction = directions[upper as keyof typeof directions];
  if (direction !== 'absolute' && direction !== 'relative') return { direction };
  return { direction, at: cursor.expression() };
}
