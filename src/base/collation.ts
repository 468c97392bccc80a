const collator = new Intl.Collator('en', { sensitivity: 'accent' });

/**
 * The key under which text compares as SharePoint's collation Latin1_General_CI_AS_KS_WS has it: without regard to case
 * and to trailing spaces, with regard to accents, kana and width. Two texts are equal when their folds are.
 */
export function fold(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0x20) end--;
  // Lower-casing makes a sigma at a word's end another letter than one within; the collation knows one sigma.
  return text.slice(0, end).toLowerCase().replaceAll('ς', 'σ');
}

/** Orders text as the collation does: negative, zero or positive; zero only for texts with the same fold. */
export function compare(a: string, b: string): number {
  if (a === b) return 0;
  const left = fold(a);
  const right = fold(b);
  if (left === right) return 0;
  // The collator knows no width and no kana at this strength; the folds decide where it sees no difference.
  return collator.compare(left, right) || (left < right ? -1 : 1);
}

/** How text compares under a collation. */
export interface TextRules {
  readonly caseSensitive: boolean;
  /** Two texts are equal when their keys are. */
  key(text: string): string;
  compare(a: string, b: string): number;
}

const withoutTrailing = (text: string): string => text.replace(/ +$/u, '');
const withoutAccents = (text: string): string => text.normalize('NFD').replace(/\p{Mn}/gu, '');

/** The rules of a collation that heeds case or accents, or of one that compares code points. */
export function textRules(heeds: 'binary' | { caseSensitive: boolean; accentSensitive: boolean }): TextRules {
  if (heeds === 'binary') return rulesOf(true, withoutTrailing, () => 0);
  const { caseSensitive, accentSensitive } = heeds;
  const cased = caseSensitive ? withoutTrailing : fold;
  const key = accentSensitive ? cased : (text: string) => withoutAccents(cased(text));
  const sensitivity = caseSensitive ? 'variant' : 'accent';
  return rulesOf(caseSensitive, key, new Intl.Collator('en', { sensitivity }).compare);
}

function rulesOf(
  caseSensitive: boolean,
  key: (text: string) => string,
  order: (a: string, b: string) => number,
): TextRules {
  return {
    caseSensitive,
    key,
    compare(a, b) {
      const left = key(a);
      const right = key(b);
      return left === right ? 0 : order(left, right) || (left < right ? -1 : 1);
    },
  };
}
