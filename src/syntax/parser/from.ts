import { sqlError } from '../../base/messages/sql-error.ts';
import type { ObjectName } from '../../procedure/object-name.ts';
import type { Expression } from '../ast/expression.ts';
import type { FromItem, JoinKind, JsonColumn } from '../ast/query.ts';
import { dataType } from './data-type.ts';
import { columnNames, parenthesised } from './lists.ts';
import { bareNull } from './literal.ts';
import type { TokenStream } from './token-stream.ts';

/** The items of FROM that commas part. */
export const fromItems = (cursor: TokenStream): FromItem[] => cursor.list(() => fromItem(cursor));

/** What was joined so far, and which join comes next. */
interface Joined {
  readonly item: FromItem;
  readonly count: number;
}

/** Joins, from the left; in `a JOIN b JOIN c ON … ON …` the right side of the first is itself a join. */
export function fromItem(cursor: TokenStream): FromItem {
  const first: Joined = { item: source(cursor), count: 1 };
  const all = cursor.series('join', first, ({ item: left, count }): Joined | undefined => {
    const type = joinKind(cursor);
    if (type === undefined) return undefined;
    cursor.link(count);
    const right = withoutOn.has(type) ? source(cursor) : cursor.deeper(() => fromItem(cursor));
    if (!withoutOn.has(type)) cursor.expect('ON');
    const on = withoutOn.has(type) ? {} : { on: cursor.condition() };
    return { item: { kind: 'join', type, left, right, ...on }, count: count + 1 };
  });
  return all.item;
}

/** The joins that have no ON. */
const withoutOn: ReadonlySet<JoinKind> = new Set<JoinKind>(['cross', 'cross apply', 'outer apply']);

const hints = new Set(['LOOP', 'HASH', 'MERGE', 'REMOTE']);

function joinKind(cursor: TokenStream): JoinKind | undefined {
  if (cursor.accept('CROSS', 'JOIN')) return 'cross';
  if (cursor.accept('CROSS', 'APPLY')) return 'cross apply';
  if (cursor.accept('OUTER', 'APPLY')) return 'outer apply';
  if (cursor.accept('JOIN')) return 'inner';
  const type = cursor.peek().upper;
  if (type !== 'INNER' && type !== 'LEFT' && type !== 'RIGHT' && type !== 'FULL') return undefined;
  cursor.next();
  cursor.accept('OUTER');
  if (cursor.isOneOf(hints)) cursor.next();
  cursor.expect('JOIN');
  const kinds = { INNER: 'inner', LEFT: 'left', RIGHT: 'right', FULL: 'full' } as const;
  return kinds[type];
}

function source(cursor: TokenStream): FromItem {
  if (cursor.is('(')) return inParentheses(cursor);
  if (cursor.peek().kind === 'variable') {
    const name = cursor.variable('table');
    return { kind: 'variable', name, ...aliasOf(cursor) };
  }
  if (cursor.accept('{', 'OJ')) {
    const inner = cursor.deeper(() => fromItem(cursor));
    cursor.expect('}');
    return inner;
  }
  // The two colons are how SQL Server 2000 called a function of the system.
  const ofOld = cursor.accept('::');
  const name = cursor.objectName();
  if (ofOld || cursor.is('(', ')') || isCall(cursor, name)) {
    const args = functionArguments(cursor);
    const isJson = name.name.toLowerCase() === 'openjson' && cursor.accept('WITH');
    const schema = isJson ? { schema: cursor.inParentheses(() => cursor.list(() => jsonColumn(cursor))) } : {};
    return { kind: 'function', name, args, ...schema, ...aliasOf(cursor) };
  }
  const alias = aliasOf(cursor);
  const hints = tableHints(cursor);
  // Hints may precede or follow the alias.
  return { kind: 'table', name, ...(alias.alias === undefined ? aliasOf(cursor) : alias), ...hints };
}

/** Parentheses after a table contain hints, but after the name of a function its arguments. */
const isCall = (cursor: TokenStream, { name }: ObjectName): boolean =>
  cursor.is('(') && /^(?:(?:fn|dm)_|(?:string_split|openjson)$)/i.test(name) && !cursor.is('(', 'NOLOCK');

/** `name int '$.path' AS JSON`; only nvarchar(max) can be AS JSON: 13618. */
function jsonColumn(cursor: TokenStream): JsonColumn {
  const name = cursor.name();
  const { line } = cursor;
  const type = dataType(cursor);
  const path = ['string', 'nstring'].includes(cursor.peek().kind) ? { path: cursor.next().text } : {};
  const isJson = cursor.accept('AS', 'JSON');
  if (isJson && type.declaration !== 'nvarchar(max)') throw sqlError(13618).at({ line });
  return { name, type, ...path, isJson };
}

function functionArguments(cursor: TokenStream): Expression[] {
  if (cursor.accept('(', ')')) return [];
  const argument = () => (cursor.accept('DEFAULT') ? bareNull : cursor.expression());
  return cursor.inParentheses(() => cursor.list(argument));
}

function inParentheses(cursor: TokenStream): FromItem {
  const starts = new Set(['SELECT', 'WITH', 'VALUES']);
  let ahead = 1;
  while (cursor.peek(ahead).upper === '(') ahead++;
  if (starts.has(cursor.peek(ahead).upper) && (ahead === 1 || starts.has(cursor.peek(ahead).upper))) {
    const query = parenthesised(cursor);
    cursor.accept('AS');
    const alias = cursor.name();
    return { kind: 'derived', query, alias, columns: cursor.is('(') ? columnNames(cursor) : [] };
  }
  cursor.expect('(');
  const inner = cursor.deeper(() => fromItem(cursor));
  cursor.expect(')');
  return inner;
}

function aliasOf(cursor: TokenStream): { alias?: string } {
  if (cursor.accept('AS')) return { alias: cursor.name() };
  if (!cursor.atName || cursor.peek(1).upper === ':') return {};
  return notAnAlias.has(cursor.peek().upper) ? {} : { alias: cursor.name() };
}

/** Words that are not reserved but begin what may follow a table. */
const notAnAlias = new Set(['THROW', 'OFFSET']);

/** WITH (NOLOCK) and (NOLOCK): only tables of tempdb need to be told. */
function tableHints(cursor: TokenStream): { hints?: readonly string[] } {
  if (!cursor.is('WITH', '(') && !cursor.is('(')) return {};
  const hints: string[] = [];
  cursor.accept('WITH');
  cursor.expect('(');
  while (!cursor.is(')')) {
    if (cursor.atEnd) throw cursor.unexpected();
    if (cursor.is('(')) throw cursor.unexpected();
    hints.push(cursor.next().upper);
    if (cursor.accept('(')) {
      while (!cursor.accept(')')) {
        if (cursor.atEnd) throw cursor.unexpected();
        cursor.next();
      }
    }
  }
  cursor.expect(')');
  return { hints };
}
