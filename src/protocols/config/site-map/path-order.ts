import { identifierOrder } from '../../../base/identifier-order.ts';
import { fold } from '../../../base/text/collation.ts';

/** What sorts before letters, in order, then digits and letters: the one-character weights of ASCII. */
const alphabet = ' _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz';

/** The accents of Latin letters in the order in which letters with them sort. */
const accents = '\u0301\u0300\u0306\u0302\u030c\u030a\u0308\u030b\u0303\u0307\u0328\u0327\u0304';

/** Letters that Unicode does not take apart, and the letters that they sort as. */
const spelled = new Map(
  Object.entries({ ß: 'ss', æ: 'ae', œ: 'oe', ĳ: 'ij', ø: 'o', ð: 'd', đ: 'd', ħ: 'h', ł: 'l', ŀ: 'l', ſ: 's' }),
);

/** Weights begin here, above what separates the levels. */
const firstWeight = 0x21;
const separator = '\u0001';
/** The weight of a letter without an accent, on the level of accents. */
const plain = '!';

const weightOf = new Map(Array.from(alphabet, (character, index) => [character, weight(index)]));
const accentWeightOf = new Map(Array.from(accents, (accent, index) => [accent, weight(index + 1)]));

function weight(index: number): string {
  return String.fromCharCode(firstWeight + index);
}

const isAccent = /\p{Mn}/u;
const isIgnored = /\p{Cc}/u;

/** Greater than every path, and than every key of these orders: no path has this many characters. */
export const afterAll = '\u{10ffff}'.repeat(65);

/**
 * Text whose code points sort as the collation sorts the folded text: by characters first (punctuation, digits,
 * letters), then by accents. Characters outside ASCII that are no form of an ASCII letter follow in the order of their
 * code points. docs/readings/config-timer-and-sites.md describes how this differs from SQL Server.
 */
export function collationOrder(text: string): string {
  const [primary, secondary] = weigh(fold(text));
  return `${primary}${separator}${secondary}${separator}`;
}

/** The key that sorts a reference by its path and, among equal paths, by its identifier. */
export function pathOrder(path: string, id: string): string {
  return collationOrder(path) + identifierOrder(id);
}

/** The range of the paths that begin with a text: in path order, and within it by folded path. */
interface PrefixRange {
  readonly order: { readonly from: string; readonly to: string };
  readonly key: { readonly from: string; readonly to: string };
}

/** The ranges of a prefix; the order's alone also holds paths that differ from the prefix in their accents. */
export function prefixRange(prefix: string): PrefixRange {
  const key = foldPrefix(prefix);
  const [primary] = weigh(key);
  return { order: { from: primary, to: primary + afterAll }, key: { from: key, to: key + afterAll } };
}

/** Folds a prefix: its trailing blanks count, because the text continues after them. */
function foldPrefix(prefix: string): string {
  return fold(`${prefix}|`).slice(0, -1);
}

function weigh(folded: string): [primary: string, secondary: string] {
  let primary = '';
  let secondary = '';
  let accentsUpTo = 0;
  for (const character of takenApart(folded)) {
    const accent = isAccent.test(character);
    const letters = accent || isIgnored.test(character) ? '' : (spelled.get(character) ?? character);
    for (const letter of letters) {
      primary += weightOf.get(letter) ?? letter;
      secondary += plain;
    }
    if (accent || spelled.has(character)) {
      secondary += accentWeightOf.get(character) ?? character;
      accentsUpTo = secondary.length;
    }
  }
  return [primary, secondary.slice(0, accentsUpTo)];
}

/** Splits letters and their accents; й stays whole, because it is a letter of its own and not an accented и. */
function takenApart(text: string): string {
  return text.replace(/[^й]+/gu, (part) => part.normalize('NFD'));
}
