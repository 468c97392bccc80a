import { propertyWord, wordsOf } from './words.ts';

/** Consecutive words; the last may be a prefix. */
interface Phrase {
  readonly words: readonly string[];
  readonly isPrefix: boolean;
}

/** What to search for: all of `all`, and none of `none`. */
export interface Query {
  readonly all: readonly Phrase[];
  readonly none: readonly Phrase[];
}

/** The most parts of a query: the rest are ignored, so that no query keeps the engine busy for hours. */
const mostPhrases = 32;
const mostWords = 64;

/** A sign, a property, and words with or without quotes; an unclosed quote extends to the end. */
const part = /(-?)(?:([\p{L}\p{N}_.]+):)?(?:"([^"]*)"?|([^\s"]+))/gu;

/**
 * Parses user input: words, "phrases", -not, property:value, wor*. Every input is valid: parts without a word are
 * ignored.
 */
export function readQuery(text: string): Query {
  const all: Phrase[] = [];
  const none: Phrase[] = [];
  let left = mostWords;
  for (const [, sign, property, quoted, bare = ''] of text.matchAll(part)) {
    const value = quoted ?? bare;
    const words = wordsOf(value).slice(0, left);
    if (words.length === 0) continue;
    left -= words.length;
    (sign === '-' ? none : all).push({
      words: property === undefined ? words : words.map((word) => propertyWord(property, word)),
      isPrefix: quoted === undefined && bare.endsWith('*'),
    });
    if (left <= 0 || all.length + none.length >= mostPhrases) break;
  }
  return { all, none };
}

/** The query in the syntax of FTS5; every word is quoted, so that none is taken for an operator. */
export function toFts5({ all, none }: Query): string {
  const written = ({ words, isPrefix }: Phrase) => `"${words.join(' ')}"${isPrefix ? ' *' : ''}`;
  const wanted = all.map(written).join(' AND ');
  return none.length === 0 ? wanted : `(${wanted}) NOT (${none.map(written).join(' OR ')})`;
}

/** The query in the syntax of tsquery; every word is quoted. */
export function toTsquery({ all, none }: Query): string {
  const quoted = (word: string) => `'${word.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;
  const written = ({ words, isPrefix }: Phrase) =>
    `(${words.map((word, at) => `${quoted(word)}${isPrefix && at === words.length - 1 ? ':*' : ''}`).join(' <-> ')})`;
  return [...all.map(written), ...none.map((phrase) => `!${written(phrase)}`)].join(' & ');
}
