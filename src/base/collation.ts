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
