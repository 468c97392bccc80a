import type { Case } from '../ast/expression.ts';
import { given } from './given.ts';
import type { TokenStream } from './token-stream.ts';

/** CASE, after its keyword. */
export function caseExpression(cursor: TokenStream): Case {
  const input = cursor.is('WHEN') ? undefined : cursor.expression();
  const branches = cursor.series<Case['branches'][number][]>('case', [], (before) => {
    if (!cursor.accept('WHEN')) return undefined;
    const when = input === undefined ? cursor.condition() : cursor.expression();
    cursor.expect('THEN');
    before.push({ when, result: cursor.expression() });
    return before;
  });
  if (branches.length === 0) throw cursor.unexpected();
  const otherwise = cursor.accept('ELSE') ? cursor.expression() : undefined;
  cursor.expect('END');
  return { kind: 'case', branches, ...given({ input, otherwise }) };
}
