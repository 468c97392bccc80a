/** One element of a LIKE pattern: any text, or a test of one character. */
export type Element = 'any' | ((unit: number) => boolean);

const patterns = new Map<string, readonly Element[]>();
/** How many patterns are remembered, and how many characters they have together. */
const most = { patterns: 200, characters: 50_000 };
let characters = 0;

/** The elements of a pattern; those of recent ones are remembered. */
export function elementsOf(pattern: string, escapeWith: string): readonly Element[] {
  const key = `${escapeWith}\0${pattern}`;
  const known = patterns.get(key);
  if (known !== undefined) return known;
  const elements = parsePattern(pattern, escapeWith);
  if (patterns.size >= most.patterns || characters + key.length > most.characters) {
    patterns.clear();
    characters = 0;
  }
  patterns.set(key, elements);
  characters += key.length;
  return elements;
}

const anything = (): boolean => true;
const exactly =
  (wanted: number) =>
  (unit: number): boolean =>
    unit === wanted;

function parsePattern(pattern: string, escapeWith: string): Element[] {
  const elements: Element[] = [];
  const escaping = escapeWith.charCodeAt(0);
  for (let at = 0; at < pattern.length; at++) {
    const unit = pattern.charCodeAt(at);
    const end = unit === openBracket ? pattern.indexOf(']', at + 2) : -1;
    if (unit === escaping && at + 1 < pattern.length) elements.push(exactly(pattern.charCodeAt(++at)));
    else if (unit === percent) {
      // Several in a row are one.
      if (elements.at(-1) !== 'any') elements.push('any');
    } else if (unit === underscore) elements.push(anything);
    else if (end > 0) {
      elements.push(setOf(pattern.slice(at + 1, end)));
      at = end;
    } else elements.push(exactly(unit));
  }
  return elements;
}

const percent = 0x25;
const underscore = 0x5f;
const openBracket = 0x5b;

function setOf(inside: string): (unit: number) => boolean {
  const negated = inside.startsWith('^');
  const members = negated ? inside.slice(1) : inside;
  const given: [low: number, high: number][] = [];
  for (let at = 0; at < members.length; at++) {
    const low = members.charCodeAt(at);
    const isRange = members[at + 1] === '-' && at + 2 < members.length;
    given.push([low, isRange ? members.charCodeAt(at + 2) : low]);
    if (isRange) at += 2;
  }
  const ranges = merged(given);
  return (unit) => isWithin(unit, ranges) !== negated;
}

type Ranges = readonly (readonly [low: number, high: number])[];

/** In order and apart from one another, so that they can be searched by halves. */
function merged(ranges: readonly [number, number][]): Ranges {
  const result: [number, number][] = [];
  for (const [low, high] of ranges.filter((range) => range[0] <= range[1]).sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last !== undefined && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else result.push([low, high]);
  }
  return result;
}

function isWithin(unit: number, ranges: Ranges): boolean {
  let from = 0;
  let to = ranges.length - 1;
  while (from <= to) {
    const middle = (from + to) >> 1;
    const range = ranges[middle];
    if (range === undefined || unit < range[0]) to = middle - 1;
    else if (unit > range[1]) from = middle + 1;
    else return true;
  }
  return false;
}
