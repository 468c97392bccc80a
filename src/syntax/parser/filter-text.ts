import type { Token, TokenKind } from '../lexer/token.ts';
import { tokenize } from '../lexer/tokenize.ts';
import { stripped } from './default-value.ts';

/** A longer text stays as it was written: this is done in one go. */
const longest = 8000;

const keywords: ReadonlySet<string> = new Set(['AND', 'OR', 'IN', 'IS', 'NOT', 'NULL']);

const numbers: ReadonlySet<string | undefined> = new Set<TokenKind>(['integer', 'decimal', 'float', 'money']);
const isNumber = (token: Pick<Token, 'kind'> | undefined): boolean => numbers.has(token?.kind);
const isSign = (token: Pick<Token, 'text'> | undefined): boolean => token?.text === '-' || token?.text === '+';

/** A column in brackets, a number in parentheses with its sign, everything else as it is. */
function shown({ kind, text, upper }: Token, source: string, [before, behind]: readonly (Token | undefined)[]): string {
  if (kind === 'word' && keywords.has(upper)) return upper;
  const isName = kind === 'identifier' || (kind === 'word' && behind?.text !== '(');
  if (isName) return `[${text.replaceAll(']', ']]')}]`;
  if (isSign({ text }) && isNumber(behind)) return '';
  return isNumber({ kind }) ? `(${isSign(before) ? before?.text : ''}${source})` : source;
}

/** Nothing stands between what is compared and the sign, nor within parentheses beside them. */
const isClose = (before: Token, token: Token): boolean =>
  [before, token].some(({ text }) => /^[=<>!.]+$/.test(text)) ||
  /^[(+-]$/.test(before.text) ||
  /^[),]$/.test(token.text);

/** `([a]>=(5) AND [b] IS NOT NULL)`: WHERE of an index as the catalog of SQL Server writes it. */
export function filterText(written: string): string {
  if (written.length > longest) return `(${written})`;
  const text = stripped(written);
  const tokens = tokenize(text).filter(({ kind }) => kind !== 'end');
  const parts = tokens.map((token, at) => {
    const before = tokens[at - 1];
    const blank = before === undefined || isClose(before, token) ? '' : ' ';
    return `${blank}${shown(token, text.slice(token.start, token.end), [before, tokens[at + 1]])}`;
  });
  return `(${parts.join('')})`;
}
