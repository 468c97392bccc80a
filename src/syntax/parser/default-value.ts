import type { Expression } from '../ast/expression.ts';
import { literalOf, varcharOf } from './literal.ts';
import type { TokenStream } from './token-stream.ts';

/** A constant of digits, with or without a sign. */
const isNumber = (text: string): boolean => /^[+-]?[\d.]/.test(text);

/** Without the parentheses around the whole of it. */
export function stripped(text: string): string {
  if (!text.startsWith('(') || !text.endsWith(')')) return text;
  let depth = 0;
  for (let at = 0; at < text.length - 1; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return text;
  }
  return stripped(text.slice(1, -1).trim());
}

/** What is quoted, and the name of a function that no schema precedes. */
const quotedOrCalled = /'[^']*'|\[[^\]]*\]|"[^"]*"|(?<![\w.@#$])([a-z_]\w*)(?=\s*\()/gi;

/** CAST and CONVERT are no functions by name. */
const keptCalls: ReadonlySet<string> = new Set(['CAST', 'CONVERT', 'TRY_CAST', 'TRY_CONVERT']);

/** The longest text whose own parentheses are looked for. */
const longest = 8000;

/** `(a+b)`: an expression in one pair of parentheses, as the catalog of SQL Server writes it. */
export const inParentheses = (text: string): string => `(${text.length > longest ? text : stripped(text)})`;

/** `((1))`, `('text')`, `(getdate())`: a default as the catalog of SQL Server writes it, function names in lower case. */
function catalogText(text: string): string {
  const inner = stripped(text).replace(quotedOrCalled, (found, called?: string) =>
    called === undefined || keptCalls.has(called.toUpperCase()) ? found : called.toLowerCase(),
  );
  return isNumber(inner) ? `((${inner}))` : `(${inner})`;
}

/** What a column or parameter is without a value: an expression, or a bare word, which is its own text. */
export function defaultValue(cursor: TokenStream): { value: Expression; text: string } {
  const first = cursor.peek();
  const { upper: behind } = cursor.peek(1);
  if (cursor.atName && behind !== '(' && behind !== '.') {
    const { text } = cursor.next();
    return { value: literalOf(varcharOf(text.length), text), text: `('${text}')` };
  }
  const value = cursor.expression();
  return { value, text: catalogText(cursor.textSince(first)) };
}
