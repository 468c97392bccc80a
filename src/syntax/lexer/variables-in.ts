import { fold } from '../../base/collation.ts';
import { sqlError } from '../../base/sql-error.ts';
import { Lexer } from './tokenize.ts';

/** So many are looked at: as many as one statement may have. */
const mostTokens = 100_000;

/** The variables that a text names, each once, in order. */
export function variablesIn(text: string, quotedIdentifier: boolean): string[] {
  const names = new Map<string, string>();
  const lexer = new Lexer(text, quotedIdentifier);
  for (let token = lexer.next(); token.kind !== 'end'; token = lexer.next()) {
    if (lexer.count > mostTokens) throw sqlError(8623);
    if (token.kind === 'variable' && !names.has(fold(token.text))) names.set(fold(token.text), token.text);
  }
  return [...names.values()];
}
