import { sqlError } from '../../base/messages/sql-error.ts';
import { changedInPieces } from '../../base/text/text-units.ts';
import type { Steps } from '../../base/threads/steps.ts';
import { convert } from '../../tds/convert/convert.ts';
import * as t from '../../tds/types/index.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import type { Literal } from '../ast/expression.ts';
import type { Token } from '../lexer/token.ts';

/** The type of a string constant: its length is that of the constant. */
export const varcharOf = (length: number): AnyType => t.varchar(length > 8000 ? 'max' : Math.max(1, length));
const nvarcharOf = (length: number): AnyType => t.nvarchar(length > 4000 ? 'max' : Math.max(1, length));
const varbinaryOf = (length: number): AnyType => t.varbinary(length > 8000 ? 'max' : Math.max(1, length));

export const literalOf = (type: AnyType, value: unknown): Literal => ({ kind: 'literal', type, value });

/** NULL without a type of its own. */
export const bareNull: Literal = { kind: 'literal', type: t.int, value: null, bare: true };

/** The constant of a token; undefined if it is none. */
export function literal(token: Token): Literal | undefined {
  switch (token.kind) {
    case 'string':
      return literalOf(varcharOf(token.text.length), token.value ?? toVarchar(token.text));
    case 'nstring':
      return literalOf(nvarcharOf(token.text.length), token.text);
    case 'integer':
      return integer(token);
    case 'decimal':
      return exact(token);
    case 'float': {
      const value = Number(/[+\-e]$/i.test(token.text) ? token.text.replace(/e[+-]?$/i, '') : token.text);
      if (!Number.isFinite(value)) throw sqlError(168, token.text, 8).at({ line: token.line });
      return literalOf(t.float, value);
    }
    case 'money':
      return literalOf(t.money, convert(token.text, t.varchar(100), t.money, { implicit: false }));
    case 'binary':
      return binary(token);
    default:
      return undefined;
  }
}

const toVarchar = (text: string): string =>
  String(convert(text, t.nvarchar('max'), t.varchar('max'), { implicit: false }));

/** A token with its value, if that is a text so long that computing it must yield. */
export function* withValue(token: Token): Steps<Token> {
  if (token.kind !== 'string' || token.text.length < longText) return token;
  return { ...token, value: yield* changedInPieces(token.text, toVarchar) };
}
const longText = 100_000;

/**
 * More digits than any number has are refused before they are read: the time for that grows faster than their number.
 */
const mostDigits = 10_000;

function refuseLong(token: Token): void {
  if (token.text.length > mostDigits) throw sqlError(1007, token.text).at({ line: token.line });
}

function integer(token: Token): Literal {
  if (token.text.length < 10) return literalOf(t.int, Number(token.text));
  refuseLong(token);
  const value = BigInt(token.text);
  if (value <= 2_147_483_647n) return literalOf(t.int, Number(value));
  const digits = value.toString().length;
  if (digits > 38) throw sqlError(1007, token.text).at({ line: token.line });
  return literalOf(t.numeric(digits, 0), { unscaled: value, scale: 0 });
}

function exact(token: Token): Literal {
  const [whole = '', fraction = ''] = token.text.split('.');
  const digits = whole.replace(/^0+/, '');
  const precision = Math.max(1, digits.length + fraction.length);
  refuseLong(token);
  if (precision > 38) throw sqlError(1007, token.text).at({ line: token.line });
  return literalOf(t.numeric(precision, fraction.length), {
    unscaled: BigInt(`${whole}${fraction}`),
    scale: fraction.length,
  });
}

function binary(token: Token): Literal {
  const digits = token.text.slice(2).replace(/\\\r?\n/g, '');
  const bytes = new Uint8Array(Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex'));
  return literalOf(varbinaryOf(bytes.length), bytes);
}
