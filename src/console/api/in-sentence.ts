/** Letters that are written from right to left, and marks that change the direction of the following text. */
const turning =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** What would end an isolate too early. */
const ending = /[\u2028\u2029\u2066-\u2069]/g;

/**
 * A name chosen by a client, for use in a sentence: its characters cannot change the direction of the words around it
 * (UAX #9). If a name has its own element, the style sheet ensures that.
 */
export const inSentence = (name: string): string =>
  turning.test(name) ? `\u2068${name.replace(ending, '')}\u2069` : name;
