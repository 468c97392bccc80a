import type { FunctionCall } from '../ast/expression.ts';
import { literal } from './literal.ts';
import { call } from './odbc-escape.ts';
import type { TokenStream } from './token-stream.ts';

/** The functions that take characters off one side, or off both. */
const sides: Readonly<Record<string, readonly string[]>> = {
  LEADING: ['LTRIM'],
  TRAILING: ['RTRIM'],
  BOTH: ['LTRIM', 'RTRIM'],
};

/** `TRIM(LEADING 'x' FROM s)` is `LTRIM(s, 'x')`; without characters blanks are taken off. */
export function trim(cursor: TokenStream): FunctionCall {
  cursor.expect('(');
  const side = startsWithSide(cursor) ? cursor.next().upper : undefined;
  const first = cursor.expression();
  const characters = cursor.accept('FROM') ? [first] : [];
  const value = characters.length > 0 ? cursor.expression() : first;
  const more =
    side === undefined && characters.length === 0 && cursor.accept(',') ? cursor.list(() => cursor.expression()) : [];
  cursor.expect(')');
  if (side === undefined && characters.length === 0) return call('TRIM', value, ...more);
  const [name = '', ...others] = sides[side ?? 'BOTH'] ?? [];
  return others.reduce((inner, each) => call(each, inner, ...characters), call(name, value, ...characters));
}

/** A side is followed by a value; a column of that name is not. */
function startsWithSide(cursor: TokenStream): boolean {
  const [word, then] = [cursor.peek(), cursor.peek(1)];
  if (word.kind !== 'word' || !Object.hasOwn(sides, word.upper) || then.upper === 'FROM') return false;
  return literal(then) !== undefined || ['word', 'identifier', 'variable', 'global'].includes(then.kind);
}
