/**
 * Words of a text as they are indexed and searched, identically on both engines: compatibility forms, case and accents
 * are folded; scripts without spaces between words are indexed character by character, and so are pictographs.
 */
const oneByOne = String.raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]|\p{So}`;
const pattern = new RegExp(String.raw`(?:${oneByOne})|(?:(?!${oneByOne})[\p{L}\p{N}\p{M}])+`, 'gu');

/** Longer words are truncated: nobody searches for them, and PostgreSQL refuses words of 2 KiB. */
const longestWord = 100;

/** A separator between the name of a property and a word of its value: a character that no text needs. */
export const ofProperty = '\uE000';

/** A word and its position in its text. */
interface PlacedWord {
  readonly word: string;
  readonly from: number;
  readonly to: number;
}

const marks = /\p{M}+/gu;
const plainWord = /^[a-z0-9]+$/;

function folded(word: string): string {
  const lower = word.toLowerCase();
  if (plainWord.test(lower)) return lower.slice(0, longestWord);
  const bare = word.normalize('NFKD').replace(marks, '').toLowerCase();
  return Array.from(bare).slice(0, longestWord).join('');
}

/** The words of a text in their order, each with its place. */
export function* placedWords(text: string): Generator<PlacedWord, void> {
  for (const match of text.matchAll(pattern)) {
    const word = folded(match[0]);
    // A compatibility form may consist of several words, or of marks alone.
    for (const part of word.match(pattern) ?? []) {
      yield { word: part, from: match.index, to: match.index + match[0].length };
    }
  }
}

/** The words of a text in their order. */
export const wordsOf = (text: string): string[] => Array.from(placedWords(text), ({ word }) => word);

/** A word that is only found in the values of a property. */
export const propertyWord = (property: string, word: string): string =>
  `${wordsOf(property).join('')}${ofProperty}${word}`;
