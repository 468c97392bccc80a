import type { Statement } from '../ast/statement.ts';
import { assignmentOperator } from './query.ts';
import type { TokenStream } from './token-stream.ts';

/** Options whose value is a number, text or variable rather than ON or OFF. */
const valued = new Set([
  'CONTEXT_INFO',
  'DATEFIRST',
  'DATEFORMAT',
  'DEADLOCK_PRIORITY',
  'LANGUAGE',
  'LOCK_TIMEOUT',
  'QUERY_GOVERNOR_COST_LIMIT',
  'ROWCOUNT',
  'TEXTSIZE',
]);

/** SET @variable = …, or SET option. */
export function set(cursor: TokenStream, line: number): Statement {
  cursor.expect('SET');
  if (cursor.peek().kind === 'variable') {
    const variable = cursor.variable();
    return { kind: 'assign', line, variable, ...assignmentOperator(cursor), value: cursor.expression() };
  }
  if (cursor.accept('TRANSACTION', 'ISOLATION', 'LEVEL')) return isolation(cursor, line);
  if (cursor.accept('IDENTITY_INSERT')) return identityInsert(cursor, line);
  if (cursor.accept('STATISTICS')) return switched(cursor, line, 'STATISTICS ');
  const name = cursor.peek().upper;
  if (!valued.has(name)) return switched(cursor, line, '');
  cursor.next();
  const { kind } = cursor.peek();
  if (kind === 'word') return { kind: 'setOption', line, names: [name], value: cursor.next().text };
  return { kind: 'setOption', line, names: [name], value: cursor.expression() };
}

/** `SET A, B ON`. */
function switched(cursor: TokenStream, line: number, prefix: string): Statement {
  const names = cursor.list(() => {
    if (cursor.peek().kind !== 'word') throw cursor.unexpected();
    return `${prefix}${cursor.next().upper}`;
  });
  const value = onOrOff(cursor);
  // Nothing after ON or OFF has been read yet, so the next token is read by the new rule.
  if (names.includes('QUOTED_IDENTIFIER')) cursor.setsQuotedIdentifier = value === 'ON';
  return { kind: 'setOption', line, names, value };
}

function onOrOff(cursor: TokenStream): string {
  if (cursor.accept('ON')) return 'ON';
  cursor.expect('OFF');
  return 'OFF';
}

const levels: readonly (readonly [string, ...string[]])[] = [
  ['READ', 'UNCOMMITTED'],
  ['READ', 'COMMITTED'],
  ['REPEATABLE', 'READ'],
  ['SERIALIZABLE'],
  ['SNAPSHOT'],
];

function isolation(cursor: TokenStream, line: number): Statement {
  const level = levels.find((words) => cursor.accept(...words));
  if (level === undefined) throw cursor.unexpected();
  return { kind: 'setOption', line, names: ['TRANSACTION ISOLATION LEVEL'], value: level.join(' ') };
}

function identityInsert(cursor: TokenStream, line: number): Statement {
  const table = cursor.objectName();
  return { kind: 'setOption', line, names: ['IDENTITY_INSERT'], table, value: onOrOff(cursor) };
}
