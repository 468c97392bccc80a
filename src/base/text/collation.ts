import { atOnce, type Steps } from '../threads/steps.ts';
import { comparePieces } from './compare-pieces.ts';
import { spelledOut } from './spelled-out.ts';
import { changedInPieces } from './text-units.ts';

const collator = new Intl.Collator('en', { sensitivity: 'accent' });

/**
 * The key by which text compares under SharePoint's collation Latin1_General_CI_AS_KS_WS: insensitive to case and
 * trailing spaces, sensitive to accents, kana and width; a letter that stands for two equals them (`ß` and `ss`), an
 * accent may be a separate character, and some characters are ignored. Two texts are equal if their folds are.
 */
export const fold = (text: string): string => withoutTrailingBlanks(foldPiece(text));

/** The same in steps, for a long text. */
export function* foldSteps(text: string): Steps<string> {
  return withoutTrailingBlanks(yield* changedInPieces(text, foldPiece));
}

/** The fold of a piece of text that is not the end of it. */
// Lower-casing turns a sigma at the end of a word into a different letter; the collation knows only one sigma.
export const foldPiece = (text: string): string => spelledOut(text).toLowerCase().replaceAll('ς', 'σ');

const manyBlanks = ' '.repeat(8192);

/** Text without trailing blanks. It searches from the end: a pattern would start again at every blank. */
export function withoutTrailingBlanks(text: string): string {
  let end = text.length;
  // Millions of them, checked one by one, would keep others waiting.
  while (end >= manyBlanks.length && text.slice(end - manyBlanks.length, end) === manyBlanks) end -= manyBlanks.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0x20) end--;
  return end === text.length ? text : text.slice(0, end);
}

/** Compares text under the collation: negative, zero or positive; zero only for texts with the same fold. */
export const compare = (a: string, b: string): number => ordered(a, b, foldPiece, collator.compare);

/** The same in steps, for long texts. */
export const compareSteps = (a: string, b: string): Steps<number> => orderSteps(a, b, foldPiece, collator.compare);

/** Texts of up to this many characters are compared whole. */
const shortLength = 256;

const areLong = (a: string, b: string): boolean => a.length > shortLength || b.length > shortLength;

function* orderSteps(
  a: string,
  b: string,
  transform: (text: string) => string,
  collate: (a: string, b: string) => number,
): Steps<number> {
  if (a === b) return 0;
  const left = withoutTrailingBlanks(a);
  const right = withoutTrailingBlanks(b);
  if (!areLong(left, right)) return ordered(left, right, transform, collate);
  return yield* comparePieces(left, right, transform, collate);
}

function ordered(
  a: string,
  b: string,
  transform: (text: string) => string,
  collate: (a: string, b: string) => number,
): number {
  if (a === b) return 0;
  const left = withoutTrailingBlanks(a);
  const right = withoutTrailingBlanks(b);
  if (areLong(left, right)) return atOnce(comparePieces(left, right, transform, collate));
  // An ignored character may have followed the last blank.
  const [one, other] = [withoutTrailingBlanks(transform(left)), withoutTrailingBlanks(transform(right))];
  if (one === other) return 0;
  // The collator ignores width and kana at this strength; where it sees no difference, the keys decide.
  return collate(one, other) || (one < other ? -1 : 1);
}

/** How a collation compares text. */
export interface TextRules {
  readonly caseSensitive: boolean;
  /** Two texts are equal if their keys are. */
  key(text: string): string;
  /** The key of a piece of text that is not the end of it. */
  keyOfPiece(text: string): string;
  compare(a: string, b: string): number;
  /** The same in steps, for long texts. */
  compareSteps(a: string, b: string): Steps<number>;
}

const marks = /\p{Mn}/gu;
/**
 * The number of characters decomposed at once: long sequences of marks would be sorted, in a time that grows with their
 * square.
 */
const together = 64;

/** Removes first the marks that stand alone, then those that are part of letters. */
function withoutAccents(text: string): string {
  const bare = text.replace(marks, '');
  if (bare.length <= together) return bare.normalize('NFD').replace(marks, '');
  let decomposed = '';
  for (let at = 0; at < bare.length; at += together) decomposed += bare.slice(at, at + together).normalize('NFD');
  return decomposed.replace(marks, '');
}

const unchanged = (text: string): string => text;

/** The rules of a collation that is sensitive to case or accents, or of one that compares code points. */
export function textRules(heeds: 'binary' | { caseSensitive: boolean; accentSensitive: boolean }): TextRules {
  if (heeds === 'binary') return rulesOf(true, unchanged, () => 0);
  const { caseSensitive, accentSensitive } = heeds;
  const cased = caseSensitive ? spelledOut : foldPiece;
  const transform = accentSensitive ? cased : (text: string) => withoutAccents(cased(text));
  const sensitivity = caseSensitive ? 'variant' : 'accent';
  return rulesOf(caseSensitive, transform, new Intl.Collator('en', { sensitivity }).compare);
}

const rulesOf = (
  caseSensitive: boolean,
  transform: (text: string) => string,
  collate: (a: string, b: string) => number,
): TextRules => ({
  caseSensitive,
  key: (text) => withoutTrailingBlanks(transform(text)),
  keyOfPiece: transform,
  compare: (a, b) => ordered(a, b, transform, collate),
  compareSteps: (a, b) => orderSteps(a, b, transform, collate),
});
