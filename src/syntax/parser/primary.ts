import { byName } from '../../base/by-name.ts';
import type { Condition, Expression, FunctionCall } from '../ast/expression.ts';
import type { OrderItem } from '../ast/query.ts';
import { reserved } from '../lexer/keywords.ts';
import { caseExpression } from './case.ts';
import { dataType } from './data-type.ts';
import { given } from './given.ts';
import { argumentList, orderItems, parenthesised } from './lists.ts';
import { bareNull, literal } from './literal.ts';
import { call, odbcEscape } from './odbc-escape.ts';
import type { TokenStream } from './token-stream.ts';
import { trim } from './trim.ts';
import { windowFrame } from './window-frame.ts';

/** Reserved words that are functions, with arguments or without. */
const reservedFunctions = new Set(['LEFT', 'RIGHT', 'COALESCE', 'NULLIF', 'IDENTITY']);
const bareFunctions = new Set(['CURRENT_TIMESTAMP', 'CURRENT_USER', 'SESSION_USER', 'SYSTEM_USER', 'USER']);
const castForms: Readonly<Record<string, 'cast' | 'convert'>> = byName({
  CAST: 'cast',
  TRY_CAST: 'cast',
  CONVERT: 'convert',
  TRY_CONVERT: 'convert',
});

/** A constant, variable, column, function, CASE, subquery, or anything in parentheses. */
export function primary(cursor: TokenStream): Expression | Condition {
  const token = cursor.peek();
  const constant = literal(token);
  if (constant !== undefined) {
    cursor.next();
    return constant;
  }
  if (token.kind === 'variable') return withMethods(cursor, { kind: 'variable', name: cursor.variable() });
  if (token.kind === 'global') return { kind: 'global', name: cursor.next().text.toUpperCase() };
  if (token.upper === '(') return inParentheses(cursor);
  if (token.upper === '{') return odbcEscape(cursor, functionCall);
  if (token.kind === 'word') return fromWord(cursor, token.upper);
  if (token.kind === 'identifier') return columnOrCall(cursor);
  throw cursor.unexpected();
}

function inParentheses(cursor: TokenStream): Expression | Condition {
  if (cursor.is('(', 'SELECT') || cursor.is('(', 'WITH'))
    return withMethods(cursor, { kind: 'subquery', query: parenthesised(cursor) });
  return withMethods(
    cursor,
    cursor.inParentheses(() => cursor.deeper(() => cursor.node())),
  );
}

/** Methods of the xml type: SQL Server accepts them in lower case only. */
const xmlMethods = new Set(['value', 'exist']);

/** `@x.value('(/a)[1]', 'int')`: a call whose first argument is the value before the dot. */
function withMethods<T extends Expression | Condition>(cursor: TokenStream, operand: T): T | FunctionCall {
  const [mark, name, open] = [cursor.peek(), cursor.peek(1), cursor.peek(2)];
  if (mark.upper !== '.' || open.upper !== '(' || !xmlMethods.has(name.text)) return operand;
  cursor.next();
  cursor.next();
  // The grammar rules out a condition in parentheses here; the compiler refuses values without methods.
  return methodCall(cursor, name.text, operand as Expression);
}

const methodCall = (cursor: TokenStream, name: string, operand: Expression): FunctionCall =>
  call(`.${name.toUpperCase()}`, operand, ...cursor.deeper(() => argumentList(cursor)));

function fromWord(cursor: TokenStream, upper: string): Expression | Condition {
  if (cursor.accept('NULL')) return bareNull;
  if (cursor.accept('CASE')) return cursor.deeper(() => caseExpression(cursor));
  if (bareFunctions.has(upper)) {
    cursor.next();
    return call(upper);
  }
  const form = castForms[upper];
  if (form !== undefined && cursor.peek(1).upper === '(')
    return withMethods(
      cursor,
      cursor.deeper(() => castOrConvert(cursor, form, upper.startsWith('TRY_'))),
    );
  if (upper === 'IIF' && cursor.peek(1).upper === '(') return cursor.deeper(() => iif(cursor));
  if (reserved.has(upper) && !(reservedFunctions.has(upper) && cursor.peek(1).upper === '(')) throw cursor.unexpected();
  return columnOrCall(cursor);
}

function castOrConvert(cursor: TokenStream, form: 'cast' | 'convert', attempt: boolean): Expression {
  cursor.next();
  cursor.expect('(');
  if (form === 'cast') {
    const operand = cursor.expression();
    cursor.expect('AS');
    const type = dataType(cursor, 30);
    cursor.expect(')');
    return { kind: 'cast', operand, type, attempt };
  }
  const type = dataType(cursor, 30);
  cursor.expect(',');
  const operand = cursor.expression();
  const style = cursor.accept(',') ? cursor.expression() : undefined;
  cursor.expect(')');
  return { kind: 'cast', operand, type, attempt, ...(style === undefined ? {} : { style }) };
}

/** IIF is CASE in short. */
function iif(cursor: TokenStream): Expression {
  cursor.next();
  cursor.expect('(');
  const when = cursor.condition();
  cursor.expect(',');
  const result = cursor.expression();
  cursor.expect(',');
  const otherwise = cursor.expression();
  cursor.expect(')');
  return { kind: 'case', branches: [{ when, result }], otherwise };
}

function columnOrCall(cursor: TokenStream): Expression {
  if (reservedFunctions.has(cursor.peek().upper)) return functionCall(cursor, cursor.next().upper);
  const parts = cursor.parts();
  if (!cursor.is('(')) return { kind: 'column', parts };
  const name = parts.at(-1) ?? '';
  if (parts.length > 1 && xmlMethods.has(name))
    return methodCall(cursor, name, { kind: 'column', parts: parts.slice(0, -1) });
  return functionCall(cursor, name.toUpperCase());
}

function functionCall(cursor: TokenStream, name: string): FunctionCall {
  return cursor.deeper(() => {
    const plain = callArguments(cursor, name);
    if (cursor.accept('WITHIN', 'GROUP')) return { ...plain, within: withinGroup(cursor) };
    if (!cursor.accept('OVER')) return plain;
    cursor.expect('(');
    const partitionBy = cursor.accept('PARTITION', 'BY') ? expressionList(cursor) : [];
    const orderBy = cursor.accept('ORDER', 'BY') ? orderItems(cursor) : [];
    const frame = windowFrame(cursor, orderBy.length > 0);
    cursor.expect(')');
    return { ...plain, over: { partitionBy, orderBy, ...given({ frame }) } };
  });
}

/** The order in which STRING_AGG takes the rows of a group. */
function withinGroup(cursor: TokenStream): OrderItem[] {
  return cursor.inParentheses(() => {
    cursor.expect('ORDER', 'BY');
    return orderItems(cursor);
  });
}

function callArguments(cursor: TokenStream, name: string): FunctionCall {
  if (cursor.accept('(', ')')) return call(name);
  if (name === 'TRIM') return trim(cursor);
  if (cursor.accept('(', '*', ')')) return { ...call(name), star: true };
  if (cursor.is('(', 'DISTINCT') || cursor.is('(', 'ALL')) {
    cursor.expect('(');
    const distinct = cursor.next().upper === 'DISTINCT';
    const args = expressionList(cursor);
    cursor.expect(')');
    return { ...call(name, ...args), distinct };
  }
  return call(name, ...argumentList(cursor));
}

const expressionList = (cursor: TokenStream): Expression[] => cursor.list(() => cursor.expression());
