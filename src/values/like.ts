import { sqlError } from '../base/messages/sql-error.ts';
import { changedInPieces } from '../base/text/text-units.ts';
import { atOnce, type Steps } from '../base/threads/steps.ts';
import { isUnicode } from '../tds/convert/families.ts';
import type { AnyType } from '../tds/types/sql-type.ts';
import { type Element, elementsOf } from './like-pattern.ts';

/** How a pattern is read: what escapes its signs, and whether case counts. */
interface LikeOptions {
  readonly escapeWith?: string;
  readonly caseSensitive?: boolean;
}

/** Patterns, and texts to search for, have at most 8,000 bytes: 8152. */
export function refuseLongPattern(pattern: string, type: AnyType): void {
  if (pattern.length * (isUnicode(type.name) ? 2 : 1) > 8000) throw sqlError(8152);
}

/** LIKE: %, _, [a-f], [^a-f], and an escape character; case-insensitive by default. */
export function like(text: string, pattern: string, options?: LikeOptions): boolean {
  return atOnce(likeSteps(text, pattern, options));
}

/** LIKE in steps: the time is at most text × pattern, which is long for long ones. */
export function* likeSteps(text: string, pattern: string, options: LikeOptions = {}): Steps<boolean> {
  const { escapeWith = '', caseSensitive = false } = options;
  const folded = (given: string): string => (caseSensitive ? given : given.toLowerCase());
  const elements = elementsOf(folded(pattern), folded(escapeWith));
  return yield* matches(yield* changedInPieces(text, folded), 0, elements, false);
}

/** PATINDEX in steps: the position of the first match, counted from 1; 0 if there is none. */
export function* patternSteps(given: string, pattern: string): Steps<number> {
  const text = yield* loweredSteps(given);
  const anchored = !pattern.startsWith('%');
  const open = pattern.endsWith('%');
  const elements = elementsOf(pattern.toLowerCase().slice(anchored ? 0 : 1, open ? -1 : undefined), '');
  const any = elements.indexOf('any');
  const head = any < 0 ? elements : elements.slice(0, any);
  const tail = any < 0 ? [] : elements.slice(any);
  const last = anchored ? 0 : text.length - head.length;
  for (let start = 0; start <= last; start++) {
    if (yield* fits(text, start, head)) {
      const end = start + head.length;
      if (any < 0 ? open || end === text.length : yield* matches(text, end, tail, open)) return start + 1;
      // What % and the rest do not find here they find nowhere further on.
      if (any >= 0) return 0;
    }
  }
  return 0;
}

/** Text in lower case, in steps. */
export const loweredSteps = (text: string): Steps<string> => changedInPieces(text, (piece) => piece.toLowerCase());

/** Comparisons between two checks of the clock. */
const between = 4096;
let compared = 0;

/** True when each character from a place on fits its element. */
function* fits(text: string, start: number, elements: readonly Element[]): Steps<boolean> {
  for (const [at, element] of elements.entries()) {
    if (++compared % between === 0) yield;
    const place = start + at;
    if (element === 'any' || place >= text.length || !element(text.charCodeAt(place))) return false;
  }
  return true;
}

/** Goes back only to the last %, so that the time is at most text × pattern. */
function* matches(text: string, start: number, elements: readonly Element[], open: boolean): Steps<boolean> {
  let at = start;
  let element = 0;
  let retryElement = -1;
  let retryAt = start;
  for (;;) {
    if (++compared % between === 0) yield;
    const current = elements[element];
    if (current === undefined && (open || at === text.length)) return true;
    if (current === 'any') {
      retryElement = ++element;
      retryAt = at;
      // Nothing after the last % needs to be tried.
      if (retryElement === elements.length) return true;
      continue;
    }
    if (current !== undefined && at < text.length && current(text.charCodeAt(at))) {
      at++;
      element++;
      continue;
    }
    if (retryElement < 0 || retryAt >= text.length) return false;
    at = ++retryAt;
    element = retryElement;
  }
}
