import { byName } from '../../base/by-name.ts';
import { sqlError } from '../../base/messages/sql-error.ts';
import { isDecimal } from '../../tds/types/decimal.ts';
import { int } from '../../tds/types/index.ts';
import type { ArithmeticOperator } from '../../values/arithmetic.ts';
import type { ComparisonOperator, Condition, Expression } from '../ast/expression.ts';
import { argumentList, parenthesised } from './lists.ts';
import { literalOf } from './literal.ts';
import { primary } from './primary.ts';
import type { TokenStream } from './token-stream.ts';

/** T-SQL distinguishes values and conditions, but both may be in parentheses: a node is either. */
type Node = Expression | Condition;

const conditionKinds: ReadonlySet<string> = new Set<Condition['kind']>([
  'comparison',
  'quantified',
  'and',
  'or',
  'not',
  'isNull',
  'in',
  'inQuery',
  'between',
  'like',
  'exists',
]);

export const isCondition = (node: Node): node is Condition => conditionKinds.has(node.kind);

/** A value. */
export function expression(cursor: TokenStream): Expression {
  return asValue(cursor, additive(cursor));
}

/** A condition, as after WHERE and IF. */
export function condition(cursor: TokenStream): Condition {
  return conditionOf(cursor, disjunction(cursor));
}

/** The inside of parentheses: whichever it is. */
export const node = (cursor: TokenStream): Node => disjunction(cursor);

function asValue(cursor: TokenStream, found: Node): Expression {
  if (isCondition(found)) throw cursor.unexpected();
  return found;
}

function conditionOf(cursor: TokenStream, found: Node): Condition {
  if (isCondition(found)) return found;
  throw sqlError(4145, cursor.atEnd ? '' : cursor.peek().text).at({ line: cursor.line });
}

const disjunction = (cursor: TokenStream): Node => connected(cursor, 'or', conjunction);
const conjunction = (cursor: TokenStream): Node => connected(cursor, 'and', negation);

/** What was read of operands in a row, and which operator comes next. */
interface Chain {
  readonly node: Node;
  readonly count: number;
}

/** Conditions that AND or OR connects, from the left. */
function connected(cursor: TokenStream, kind: 'and' | 'or', operand: (cursor: TokenStream) => Node): Node {
  const first = operand(cursor);
  const word = kind === 'or' ? 'OR' : 'AND';
  if (!cursor.is(word)) return first;
  const chain = cursor.series<Chain>(kind, { node: first, count: 1 }, ({ node: left, count }) => {
    if (!cursor.accept(word)) return undefined;
    cursor.link(count);
    const right = { left: conditionOf(cursor, left), right: conditionOf(cursor, operand(cursor)) };
    return { node: { kind, ...right }, count: count + 1 };
  });
  return chain.node;
}

function negation(cursor: TokenStream): Node {
  if (!cursor.accept('NOT')) return predicate(cursor);
  const operand = cursor.deeper(() => negation(cursor));
  return { kind: 'not', operand: conditionOf(cursor, operand) };
}

const comparisons: Readonly<Record<string, ComparisonOperator>> = byName({
  '=': '=',
  '<>': '<>',
  '!=': '<>',
  '<': '<',
  '>': '>',
  '<=': '<=',
  '>=': '>=',
  '!<': '>=',
  '!>': '<=',
});

function predicate(cursor: TokenStream): Node {
  if (cursor.accept('EXISTS')) return { kind: 'exists', query: parenthesised(cursor) };
  const left = additive(cursor);
  if (isCondition(left)) return left;
  const operator = comparisons[cursor.peek().upper];
  if (operator !== undefined) return comparison(cursor, left, operator);
  if (cursor.accept('IS')) {
    const negated = cursor.accept('NOT');
    cursor.expect('NULL');
    return negate(negated, { kind: 'isNull', operand: left });
  }
  if (cursor.is('NOT') && ['IN', 'LIKE', 'BETWEEN'].includes(cursor.peek(1).upper)) {
    cursor.next();
    return negate(true, matching(cursor, left));
  }
  return cursor.is('IN') || cursor.is('LIKE') || cursor.is('BETWEEN') ? matching(cursor, left) : left;
}

const negate = (negated: boolean, operand: Condition): Condition => (negated ? { kind: 'not', operand } : operand);

function comparison(cursor: TokenStream, left: Expression, operator: ComparisonOperator): Condition {
  cursor.next();
  if (cursor.is('ALL') || cursor.is('ANY') || cursor.is('SOME')) {
    const all = cursor.next().upper === 'ALL';
    return { kind: 'quantified', operator, all, left, query: parenthesised(cursor) };
  }
  return { kind: 'comparison', operator, left, right: expression(cursor) };
}

function matching(cursor: TokenStream, operand: Expression): Condition {
  if (cursor.accept('IN')) {
    if (cursor.is('(', 'SELECT') || cursor.is('(', 'WITH'))
      return { kind: 'inQuery', operand, query: parenthesised(cursor) };
    return { kind: 'in', operand, list: argumentList(cursor) };
  }
  if (cursor.accept('BETWEEN')) {
    const low = expression(cursor);
    cursor.expect('AND');
    return { kind: 'between', operand, low, high: expression(cursor) };
  }
  cursor.expect('LIKE');
  const pattern = expression(cursor);
  if (cursor.accept('{')) {
    cursor.expect('ESCAPE');
    const escapeWith = expression(cursor);
    cursor.expect('}');
    return { kind: 'like', operand, pattern, escape: escapeWith };
  }
  return cursor.accept('ESCAPE')
    ? { kind: 'like', operand, pattern, escape: expression(cursor) }
    : { kind: 'like', operand, pattern };
}

const additiveOperators: ReadonlySet<string> = new Set(['+', '-', '&', '|', '^']);
const multiplicativeOperators: ReadonlySet<string> = new Set(['*', '/', '%']);

/** The function that `<<` or `>>` stands for, if one of them comes next. */
function shift(cursor: TokenStream): string | undefined {
  if (cursor.is('<', '<')) return 'LEFT_SHIFT';
  return cursor.is('>', '>') ? 'RIGHT_SHIFT' : undefined;
}

function additive(cursor: TokenStream): Node {
  return leftToRight(cursor, additiveOperators, multiplicative);
}

function multiplicative(cursor: TokenStream): Node {
  return leftToRight(cursor, multiplicativeOperators, unary);
}

function leftToRight(
  cursor: TokenStream,
  operators: ReadonlySet<string>,
  operand: (cursor: TokenStream) => Node,
): Node {
  const first = operand(cursor);
  const isNext = () => cursor.isOneOf(operators) || (operators === additiveOperators && shift(cursor) !== undefined);
  if (!isNext()) return first;
  const kind = operators === additiveOperators ? 'sum' : 'product';
  const chain = cursor.series<Chain>(kind, { node: first, count: 1 }, ({ node: left, count }) => {
    if (!isNext() || isCondition(left)) return undefined;
    cursor.link(count);
    const name = shift(cursor);
    if (name !== undefined) {
      for (let taken = 0; taken < 2; taken++) cursor.next();
      const args = [left, asValue(cursor, operand(cursor))];
      return { node: { kind: 'call', name, args, distinct: false, star: false }, count: count + 1 };
    }
    // The set holds arithmetic operators only.
    const operator = cursor.next().upper as ArithmeticOperator;
    const right = asValue(cursor, operand(cursor));
    return { node: { kind: 'binary', operator, left, right }, count: count + 1 };
  });
  return chain.node;
}

function unary(cursor: TokenStream): Node {
  const operator = cursor.peek().upper;
  if (operator !== '-' && operator !== '+' && operator !== '~') return collated(cursor);
  cursor.next();
  const operand = asValue(
    cursor,
    cursor.deeper(() => unary(cursor)),
  );
  return negativeConstant(operator, operand) ?? { kind: 'unary', operator, operand };
}

/** -2147483648 is an int though 2147483648 is not. */
function negativeConstant(operator: string, operand: Expression): Expression | undefined {
  if (operator !== '-' || operand.kind !== 'literal' || !isDecimal(operand.value)) return undefined;
  const { unscaled, scale } = operand.value;
  return scale === 0 && unscaled === 2_147_483_648n ? literalOf(int, -2_147_483_648) : undefined;
}

function collated(cursor: TokenStream): Node {
  const found = primary(cursor);
  if (isCondition(found) || !cursor.accept('COLLATE')) return found;
  return { kind: 'collate', operand: found, collation: cursor.name() };
}
