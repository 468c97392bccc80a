import { changedInPieces } from '../base/text/text-units.ts';
import type { Steps } from '../base/threads/steps.ts';

/** A text as JSON has it; SQL Server escapes the slash too. */
export const jsonQuoted = (text: string): string => JSON.stringify(text.toWellFormed()).replaceAll('/', '\\/');

/** The same for a long text, in steps. */
export function* jsonQuotedSteps(text: string): Steps<string> {
  return `"${yield* changedInPieces(text, (piece) => jsonQuoted(piece).slice(1, -1))}"`;
}
