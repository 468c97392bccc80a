/** A pair of languages that an engine has, under its own name for it. */
export interface Pair {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** One spelling of a language for all: `eng`, `en-US` and `EN_us` are `en`, or undefined for what is none. */
export function languageOf(given: string): string | undefined {
  try {
    return new Intl.Locale(given.trim().replaceAll('_', '-')).language;
  } catch {
    return undefined;
  }
}

/** The pair for two languages as a user wrote them; one of exactly that spelling comes first. */
export function pairFor(pairs: readonly Pair[], from: string, to: string): Pair | undefined {
  const wanted = [languageOf(from), languageOf(to)];
  const fitting = pairs.filter((pair) => languageOf(pair.from) === wanted[0] && languageOf(pair.to) === wanted[1]);
  if (wanted[0] === undefined || wanted[1] === undefined) return undefined;
  return fitting.find((pair) => pair.from === from && pair.to === to) ?? shortest(fitting);
}

const shortest = (pairs: readonly Pair[]): Pair | undefined =>
  pairs.toSorted((one, other) => one.name.length - other.name.length)[0];

/** The pairs as people write them: en:es. */
export const listed = (pairs: readonly Pair[]): string =>
  [...new Set(pairs.map(({ from, to }) => `${languageOf(from) ?? from}:${languageOf(to) ?? to}`))].sort().join(', ');
