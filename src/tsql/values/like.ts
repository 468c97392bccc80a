/** One element of a LIKE pattern: any text, any character, one of a set, or a character itself. */
type Element = { readonly kind: 'any' } | { readonly kind: 'one'; readonly matches: (character: string) => boolean };

const patterns = new Map<string, readonly Element[]>();
const mostPatterns = 200;

/** LIKE: %, _, [a-f], [^a-f], and an escape character; without regard to case unless told. */
export function like(text: string, pattern: string, escapeWith = '', caseSensitive = false): boolean {
  if (caseSensitive) return matchElements([...text], elementsOf(pattern, escapeWith), false);
  return matchElements([...text.toLowerCase()], elementsOf(pattern.toLowerCase(), escapeWith.toLowerCase()), false);
}

/** PATINDEX: where the pattern first matches, counted from 1; 0 when nowhere. */
export function patternIndex(text: string, pattern: string): number {
  const characters = [...text.toLowerCase()];
  const anchored = !pattern.startsWith('%');
  const open = pattern.endsWith('%');
  const elements = elementsOf(pattern.toLowerCase().slice(anchored ? 0 : 1, open ? -1 : undefined), '');
  const any = elements.findIndex(({ kind }) => kind === 'any');
  const head = any < 0 ? elements : elements.slice(0, any);
  const tail = any < 0 ? [] : elements.slice(any);
  for (let start = 0; start + head.length <= characters.length; start++) {
    if (fits(characters, start, head)) {
      const end = start + head.length;
      if (any < 0 ? open || end === characters.length : matchElements(characters.slice(end), tail, open))
        return start + 1;
      // What % and the rest do not find here they find nowhere further on.
      if (any >= 0) return 0;
    }
    if (anchored) break;
  }
  return 0;
}

/** True when each character from a place on fits its element. */
const fits = (text: readonly string[], start: number, elements: readonly Element[]): boolean =>
  elements.every((element, at) => element.kind === 'one' && element.matches(text[start + at] ?? ''));

function elementsOf(pattern: string, escapeWith: string): readonly Element[] {
  const key = `${escapeWith}\0${pattern}`;
  let elements = patterns.get(key);
  if (elements === undefined) {
    elements = parsePattern([...pattern], escapeWith);
    if (patterns.size >= mostPatterns) patterns.clear();
    patterns.set(key, elements);
  }
  return elements;
}

function parsePattern(pattern: readonly string[], escapeWith: string): Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] ?? '';
    if (character === escapeWith && at + 1 < pattern.length) {
      const literal = pattern[++at] ?? '';
      elements.push({ kind: 'one', matches: (other) => other === literal });
    } else if (character === '%') elements.push({ kind: 'any' });
    else if (character === '_') elements.push({ kind: 'one', matches: () => true });
    else if (character === '[' && pattern.indexOf(']', at + 2) > 0) {
      const end = pattern.indexOf(']', at + 2);
      elements.push({ kind: 'one', matches: setOf(pattern.slice(at + 1, end)) });
      at = end;
    } else elements.push({ kind: 'one', matches: (other) => other === character });
  }
  return elements;
}

function setOf(inside: readonly string[]): (character: string) => boolean {
  const negated = inside[0] === '^';
  const members = negated ? inside.slice(1) : inside;
  const ranges: (readonly [string, string])[] = [];
  for (let at = 0; at < members.length; at++) {
    const from = members[at] ?? '';
    const isRange = members[at + 1] === '-' && at + 2 < members.length;
    ranges.push([from, isRange ? (members[at + 2] ?? from) : from]);
    if (isRange) at += 2;
  }
  return (character) => ranges.some(([low, high]) => character >= low && character <= high) !== negated;
}

/** Goes back only to the last %, so that the time is at most text × pattern. */
function matchElements(text: readonly string[], elements: readonly Element[], open: boolean): boolean {
  let at = 0;
  let element = 0;
  let retryElement = -1;
  let retryAt = 0;
  for (;;) {
    const current = elements[element];
    if (current === undefined && (open || at === text.length)) return true;
    if (current?.kind === 'any') {
      retryElement = ++element;
      retryAt = at;
      continue;
    }
    if (current !== undefined && at < text.length && current.matches(text[at] ?? '')) {
      at++;
      element++;
      continue;
    }
    if (retryElement < 0 || retryAt >= text.length) return false;
    at = ++retryAt;
    element = retryElement;
  }
}
