import { byName } from '../../base/by-name.ts';
import { sqlError } from '../../base/messages/sql-error.ts';
import { float } from '../../tds/types/index.ts';
import type { ArithmeticOperator } from '../../values/arithmetic.ts';
import type { Expression } from '../ast/expression.ts';
import { firstSelect } from '../ast/first-select.ts';
import type { Cte, Query, QueryBody, Select, SelectItem, SetMember, SetOperator, Top } from '../ast/query.ts';
import { forClause } from './for-clause.ts';
import { fromItems } from './from.ts';
import { given } from './given.ts';
import { columnNames, orderItems, parenthesised } from './lists.ts';
import type { TokenStream } from './token-stream.ts';

/** A query: WITH, SELECTs under UNION and the like, ORDER BY, OFFSET, OPTION. */
export function query(cursor: TokenStream): Query {
  return queryAfterWith(cursor, withClause(cursor));
}

/** The query that follows a WITH clause. */
export function queryAfterWith(cursor: TokenStream, ctes: readonly Cte[]): Query {
  const body = setExpression(cursor);
  const orderBy = cursor.accept('ORDER', 'BY') ? orderItems(cursor) : [];
  const paging = orderBy.length > 0 ? offsetFetch(cursor) : {};
  const before = forClause(cursor);
  const options = optionClause(cursor);
  // SQL Server takes the two in either order.
  return { with: ctes, body, orderBy, ...paging, ...before, ...options, ...forClause(cursor) };
}

/** The common table expressions before a statement. */
export function withClause(cursor: TokenStream): Cte[] {
  if (!cursor.accept('WITH')) return [];
  return cursor.list(() => {
    const name = cursor.name();
    const columns = cursor.is('(') ? columnNames(cursor) : [];
    cursor.expect('AS');
    return { name, columns, query: parenthesised(cursor) };
  });
}

/** How many queries one UNION may have. */
const mostUnited = 10_000;

/** UNION and EXCEPT bind from left to right, INTERSECT first. */
function setExpression(cursor: TokenStream): QueryBody {
  const first = intersection(cursor);
  const nothing: { readonly rest: SetMember[]; readonly excepted: number } = { rest: [], excepted: 0 };
  const { rest } = cursor.series('union', nothing, (before) => {
    cursor.link(before.rest.length, mostUnited);
    const operator = setOperator(cursor);
    if (operator === undefined) return undefined;
    const excepted = before.excepted + (operator === 'except' ? 1 : 0);
    if (operator === 'except') cursor.link(excepted);
    before.rest.push({ operator, body: intersection(cursor) });
    return { rest: before.rest, excepted };
  });
  return combined(first, rest, cursor);
}

/** 196 for an INTO that the first query does not have, 10734 for variables that are given values. */
function combined(first: QueryBody, rest: readonly SetMember[], { line }: TokenStream): QueryBody {
  if (rest.length === 0) return first;
  for (const body of [first, ...rest.map((member) => member.body)]) {
    if (body.kind === 'select' && body.items.some(({ kind }) => kind === 'assign')) throw sqlError(10_734).at({ line });
    if (body !== first && firstSelect(body)?.into !== undefined) throw sqlError(196).at({ line });
  }
  return { kind: 'set', first, rest };
}

function setOperator(cursor: TokenStream): SetOperator | undefined {
  if (cursor.accept('UNION')) return cursor.accept('ALL') ? 'union all' : 'union';
  return cursor.accept('EXCEPT') ? 'except' : undefined;
}

function intersection(cursor: TokenStream): QueryBody {
  const first = term(cursor);
  if (!cursor.is('INTERSECT')) return first;
  const rest = cursor.series<SetMember[]>('intersect', [], (before) => {
    if (!cursor.accept('INTERSECT')) return undefined;
    cursor.link(before.length + 1);
    before.push({ operator: 'intersect', body: term(cursor) });
    return before;
  });
  return combined(first, rest, cursor);
}

function term(cursor: TokenStream): QueryBody {
  if (cursor.is('(')) return { kind: 'nested', query: parenthesised(cursor) };
  if (cursor.is('VALUES')) return valuesRows(cursor);
  return select(cursor);
}

/** `VALUES (…), (…)`. */
function valuesRows(cursor: TokenStream): QueryBody & { kind: 'values' } {
  cursor.expect('VALUES');
  const row = () => cursor.inParentheses(() => cursor.list(() => valueOrDefault(cursor)));
  return { kind: 'values', rows: cursor.list(row) };
}

const valueOrDefault = (cursor: TokenStream): Expression | 'default' =>
  cursor.accept('DEFAULT') ? 'default' : cursor.expression();

function select(cursor: TokenStream): Select {
  cursor.expect('SELECT');
  const distinct = cursor.accept('DISTINCT');
  if (!distinct) cursor.accept('ALL');
  const top = topClause(cursor);
  const items = selectItems(cursor);
  const into = cursor.accept('INTO') ? cursor.objectName() : undefined;
  const from = cursor.accept('FROM') ? fromItems(cursor) : [];
  const where = cursor.accept('WHERE') ? cursor.condition() : undefined;
  const groupBy = cursor.accept('GROUP', 'BY') ? cursor.list(() => cursor.expression()) : [];
  const having = cursor.accept('HAVING') ? cursor.condition() : undefined;
  return { kind: 'select', distinct, items, from, groupBy, ...given({ top, into, where, having }) };
}

/** TOP (n) [PERCENT] [WITH TIES]. */
export function topClause(cursor: TokenStream): Top | undefined {
  if (!cursor.accept('TOP')) return undefined;
  let count: Expression;
  if (cursor.is('(')) count = cursor.inParentheses(() => cursor.expression());
  else {
    if (cursor.peek().kind !== 'integer' && cursor.peek().kind !== 'decimal') throw cursor.unexpected();
    count = expressionOfNumber(cursor);
  }
  const percent = cursor.accept('PERCENT');
  return { count, percent, ties: cursor.accept('WITH', 'TIES') };
}

/** `TOP 5 *`: the number ends before what would read as a multiplication. */
function expressionOfNumber(cursor: TokenStream): Expression {
  const value = Number(cursor.next().text);
  return { kind: 'literal', type: float, value };
}

/** The list between SELECT and FROM. */
export const selectItems = (cursor: TokenStream): SelectItem[] => cursor.list(() => selectItem(cursor));

const assignments: Readonly<Record<string, ArithmeticOperator>> = byName({
  '+=': '+',
  '-=': '-',
  '*=': '*',
  '/=': '/',
  '%=': '%',
  '&=': '&',
  '|=': '|',
  '^=': '^',
});

/** `=` or `+=` and its kin; undefined for the plain one. */
export function assignmentOperator(cursor: TokenStream): { operator?: ArithmeticOperator } {
  if (cursor.accept('=')) return {};
  const operator = assignments[cursor.peek().upper];
  if (operator === undefined) throw cursor.unexpected();
  cursor.next();
  return { operator };
}

function selectItem(cursor: TokenStream): SelectItem {
  if (cursor.accept('*')) return { kind: 'star' };
  if (cursor.peek().kind === 'variable' && (cursor.peek(1).upper === '=' || cursor.peek(1).upper in assignments)) {
    const variable = cursor.variable();
    return { kind: 'assign', variable, ...assignmentOperator(cursor), expression: cursor.expression() };
  }
  const qualifier = starQualifier(cursor);
  if (qualifier !== undefined) return { kind: 'star', qualifier };
  if (isAliasAssignment(cursor)) {
    const alias = cursor.label();
    cursor.expect('=');
    return { kind: 'value', expression: cursor.expression(), alias };
  }
  const value = cursor.expression();
  const alias = columnAlias(cursor);
  return { kind: 'value', expression: value, ...given({ alias }) };
}

/** `alias = expression`, the old way. */
function isAliasAssignment(cursor: TokenStream): boolean {
  return cursor.peek(1).upper === '=' && (cursor.atName || cursor.peek().kind === 'string');
}

/** `t.*` or `dbo.t.*`. */
function starQualifier(cursor: TokenStream): string[] | undefined {
  const parts: string[] = [];
  for (let ahead = 0; ; ahead += 2) {
    const token = cursor.peek(ahead);
    if (token.upper === '*' && parts.length > 0) break;
    if ((token.kind !== 'word' && token.kind !== 'identifier') || cursor.peek(ahead + 1).upper !== '.')
      return undefined;
    parts.push(token.text);
  }
  for (let count = 0; count < parts.length * 2 + 1; count++) cursor.next();
  return parts;
}

function columnAlias(cursor: TokenStream): string | undefined {
  const explicit = cursor.accept('AS');
  if (cursor.atName || cursor.peek().kind === 'string' || cursor.peek().kind === 'nstring') return cursor.label();
  if (explicit) throw cursor.unexpected();
  return undefined;
}

function offsetFetch(cursor: TokenStream): { offset?: Expression; fetch?: Expression } {
  if (!cursor.accept('OFFSET')) return {};
  const offset = cursor.expression();
  if (!cursor.accept('ROWS')) cursor.expect('ROW');
  if (!cursor.accept('FETCH')) return { offset };
  if (!cursor.accept('NEXT')) cursor.expect('FIRST');
  const fetch = cursor.expression();
  if (!cursor.accept('ROWS')) cursor.expect('ROW');
  cursor.expect('ONLY');
  return { offset, fetch };
}

/** OPTION (…): of all hints only MAXRECURSION changes the answer. */
export function optionClause(cursor: TokenStream): { maxRecursion?: number } {
  if (!cursor.accept('OPTION')) return {};
  cursor.expect('(');
  let maxRecursion: number | undefined;
  for (let depth = 1; depth > 0; ) {
    if (cursor.atEnd) throw cursor.unexpected();
    if (cursor.accept('MAXRECURSION')) {
      if (cursor.peek().kind !== 'integer') throw cursor.unexpected();
      maxRecursion = Number(cursor.next().text);
      if (maxRecursion > 32_767) throw sqlError(310, maxRecursion, 32_767).at({ line: cursor.line });
      continue;
    }
    const { upper } = cursor.next();
    depth += upper === '(' ? 1 : upper === ')' ? -1 : 0;
  }
  return given({ maxRecursion });
}
