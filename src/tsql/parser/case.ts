import type { Case } from '../ast/expression.ts';
import type { Cursor } from './cursor.ts';

/** CASE, after its keyword. */
export function caseExpression(cursor: Cursor): Case {
  const input = cursor.is('WHEN') ? undefined : cursor.expression();
  const branches: Case['branches'][number][] = [];
  while (cursor.accept('WHEN')) {
    const when = input === undefined ? cursor.condition() : cursor.expression();
    cursor.expect('THEN');
    branches.push({ when, result: cursor.expression() });
  }
  if (branches.length === 0) throw cursor.unexpected();
  const otherwise = cursor.accept('ELSE') ? cursor.expression() : undefined;
  cursor.expect('END');
  return {
    kind: 'case',
    branches,
    ...(input === undefined ? {} : { input }),
    ...(otherwise === undefined ? {} : { otherwise }),
  };
}
