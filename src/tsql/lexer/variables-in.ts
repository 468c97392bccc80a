import { fold } from '../../base/collation.ts';
import { tokenize } from './tokenize.ts';

/** The variables that a text names, each once, in order. */
export function variablesIn(text: string, quotedIdentifier: boolean): string[] {
  const names = new Map<string, string>();
  for (const { kind, text: name } of tokenize(text, quotedIdentifier)) {
    if (kind === 'variable' && !names.has(fold(name))) names.set(fold(name), name);
  }
  return [...names.values()];
}
