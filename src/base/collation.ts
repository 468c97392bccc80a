// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII, all of it.
const ascii = /^[\x00-\x7f]*$/;

/**
 * The key by which text compares as in SharePoint's collation, Latin1_General_CI_AS_KS_WS: without regard to case and
 * to trailing blanks, with regard to accents, kana and width. Two texts are equal when their keys are.
 */
export function fold(text: string): string {
  const trimmed = text.replace(/ +$/, '');
  if (ascii.test(trimmed)) return trimmed.toLowerCase();
  // Taken apart first: some letters with an accent exist as one character in one case only.
  return Array.from(trimmed.normalize('NFD'), foldOne).join('').normalize('NFC');
}

/**
 * One character at a time, to one character: case pairs that are not one to one (ß and SS) stay apart, as do
 * the Turkish dotless ı and i. By way of the capital, so that all small forms of a letter (σ and ς) meet.
 */
function foldOne(character: string): string {
  if (character === 'ı') return character;
  const capital = one(character.toUpperCase()) ?? character;
  return one(capital.toLowerCase()) ?? capital;
}

/** The text if it is a single character. */
const one = (text: string): string | undefined =>
  text.length === String.fromCodePoint(text.codePointAt(0) ?? 0).length ? text : undefined;
