import { sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import type { Steps } from '../../base/threads/steps.ts';
import { Lexer } from './tokenize.ts';

/** The maximum number of tokens that are read: as many as one statement may have. */
const mostTokens = 100_000;
/** Tokens that are read in a row. */
const tokensInARow = 500;

/** The variables that a text names, each once, in order. */
export function* variablesIn(text: string, quotedIdentifier: boolean): Steps<string[]> {
  const names = new Map<string, string>();
  const lexer = new Lexer(text, quotedIdentifier);
  for (;;) {
    const token = lexer.step();
    if (token === undefined || lexer.count % tokensInARow === 0) yield;
    if (token?.kind === 'end') return [...names.values()];
    if (lexer.count > mostTokens) throw sqlError(8623);
    if (token?.kind === 'variable' && !names.has(fold(token.text))) names.set(fold(token.text), token.text);
  }
}
