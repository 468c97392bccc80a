import { fold } from '../base/collation.ts';
import { sqlError } from '../base/sql-error.ts';

/** A test of a name, made from what a caller wrote. */
export type NameTest = (name: string) => boolean;

/** One place of a pattern: any text, or one character that passes a test. */
type Piece = 'any' | ((character: string) => boolean);

/** A set as LIKE writes it between brackets: single characters, ranges, ^ in front for "none of". */
function setOf(text: string): Piece {
  const none = text.startsWith('^');
  const members = [...text.slice(none ? 1 : 0).matchAll(/(.)-(.)|(.)/gsu)];
  const isMember = (character: string) =>
    members.some(([, from, to, one]) => character === one || (!!from && !!to && from <= character && character <= to));
  return (character) => isMember(character) !== none;
}

function piecesOf(pattern: string): Piece[] {
  return [...fold(pattern).matchAll(/\[([^\]]+)\]|./gsu)].map(([piece, set]) => {
    if (set !== undefined) return setOf(set);
    if (piece === '%') return 'any';
    return piece === '_' ? () => true : (character) => character === piece;
  });
}

/**
 * LIKE: % any text, _ one character, [a-f] and [^a-f] sets; without regard to case. After a mismatch it goes back to the
 * last % only, so that no pattern takes longer than its length times the text's.
 */
export function like(pattern: string): NameTest {
  const pieces = piecesOf(pattern);
  return (name) => {
    const text = [...fold(name)];
    let at = 0;
    let lastAny = -1;
    let resume = 0;
    for (let i = 0; i < text.length; ) {
      const piece = pieces[at];
      if (piece === 'any') {
        lastAny = at++;
        resume = i;
      } else if (piece?.(text[i] ?? '')) {
        at++;
        i++;
      } else if (lastAny >= 0) {
        at = lastAny + 1;
        i = ++resume;
      } else return false;
    }
    return pieces.slice(at).every((piece) => piece === 'any');
  };
}

/** Takes the quotes off a name: `[a]`, `"a"`. */
export function unquoted(text: string): string {
  const found = /^\s*(?:\[([^\]]*)\]|"([^"]*)")\s*$/.exec(text);
  return found ? (found[1] ?? found[2] ?? '') : text;
}

/** A test from an argument of a catalog procedure: NULL matches everything. */
export function nameTest(argument: string | null, usePattern: boolean | null): NameTest {
  if (argument === null) return () => true;
  const wanted = unquoted(argument);
  if (usePattern === false) return (name) => fold(name) === fold(wanted);
  return like(wanted);
}

/** Procedures of SQL Server have numbers; ours are all ;1, and a caller may say so. */
export const unnumbered = (name: string | null): string | null => name?.replace(/;1\s*$/, '') ?? null;

/** The database that a caller names must be the one it is in. */
export function checkQualifier(qualifier: string | null, database: string): void {
  if (qualifier === null || qualifier === '') return;
  if (fold(unquoted(qualifier)) !== fold(database)) throw sqlError(15250);
}
