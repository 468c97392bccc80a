import { sqlError } from '../../base/messages/sql-error.ts';
import { ownPart } from '../../base/text/own-part.ts';
import type { Unary } from '../../syntax/ast/expression.ts';
import { familyOf, isUnicode, nameInMessage } from '../../tds/convert/families.ts';
import { addTicks, baseDay, fromMoment, toMoment } from '../../tds/convert/moment.ts';
import { charactersOf } from '../../tds/convert/to-text.ts';
import { collated } from '../../tds/types/collated.ts';
import * as t from '../../tds/types/index.ts';
import { ticksPerDay } from '../../tds/types/instant.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import type { ArithmeticOperator } from '../../values/arithmetic.ts';
import {
  decimalOperation,
  decimalResult,
  integerOperation,
  type Operation,
  operations,
  operatorName,
} from '../../values/arithmetic.ts';
import { refuseHuge } from '../../values/long-value.ts';
import { asDecimal, bytesOf, commonCollation, commonType, textOf } from '../../values/precedence.ts';
import { coerce } from './coerce.ts';
import { type Compiled, constant } from './compiled.ts';
import type { Context } from './context.ts';
import { madeOf } from './long-work.ts';

const bitwise = new Set<ArithmeticOperator>(['&', '|', '^']);

/** An arithmetic operator between two expressions, with SQL Server's types. */
export function binary(operator: ArithmeticOperator, left: Compiled, right: Compiled, context: Context): Compiled {
  if (left.bare && right.bare) return { ...left, type: t.int };
  const a = left.bare ? { ...left, type: nullAs(right) } : left;
  const b = right.bare ? { ...right, type: nullAs(left) } : right;
  const families = [familyOf(a.type.name), familyOf(b.type.name)];
  if (operator === '+' && families.every((family) => family === 'text')) return concatenate(a, b, context);
  if (operator === '+' && families.every((family) => family === 'bytes')) return concatenateBytes(a, b, context);
  if (bitwise.has(operator)) return bits(operator, a, b, context);
  if (families.includes('moment')) return moments(operator, a, b, context);
  return numbers(operator, a, b, context);
}

const nullAs = (other: Compiled): AnyType => (familyOf(other.type.name) === 'moment' ? t.int : other.type);

/** A value of two operands; NULL if one of them is. */
function operate(type: AnyType, a: Compiled, b: Compiled, context: Context, operation: Operation): Compiled {
  return {
    type,
    nullable: a.nullable || b.nullable,
    evaluate: madeOf([a, b], context, ([left, right]) =>
      left === null || right === null ? null : operation(left, right),
    ),
  };
}

function concatenate(a: Compiled, b: Compiled, context: Context): Compiled {
  const unicode = isUnicode(a.type.name) || isUnicode(b.type.name);
  const isMax = [a, b].some(({ type }) => charactersOf(type) === Number.POSITIVE_INFINITY);
  const most = unicode ? 4000 : 8000;
  const length = isMax ? Number.POSITIVE_INFINITY : Math.min(most, charactersOf(a.type) + charactersOf(b.type));
  const plain = textOf(unicode, length);
  const collation = commonCollation(a.type, b.type);
  const type = collation === undefined ? plain : collated(plain, collation);
  const join = (left: unknown, right: unknown) => {
    refuseHuge(String(left).length + String(right).length);
    const text = `${String(left)}${String(right)}`;
    return text.length > length ? ownPart(text, 0, length) : text;
  };
  const strict = operate(type, a, b, context, join);
  return {
    ...strict,
    evaluate: (env) =>
      context.frame.host.options.concatNullYieldsNull
        ? strict.evaluate(env)
        : join(a.evaluate(env) ?? '', b.evaluate(env) ?? ''),
  };
}

function concatenateBytes(a: Compiled, b: Compiled, context: Context): Compiled {
  const sum =
    a.type.maxLength < 0 || b.type.maxLength < 0
      ? Number.POSITIVE_INFINITY
      : Math.min(8000, a.type.maxLength + b.type.maxLength);
  // Both operands are of the binary family.
  return operate(bytesOf(sum), a, b, context, (left, right) => {
    const [head, tail] = [left as Uint8Array, right as Uint8Array];
    refuseHuge(head.length + tail.length);
    const whole = new Uint8Array(head.length + tail.length);
    whole.set(head);
    whole.set(tail, head.length);
    return whole;
  });
}

const integers = new Set(['integer', 'bit']);

function bits(operator: ArithmeticOperator, a: Compiled, b: Compiled, context: Context): Compiled {
  for (const { type } of [a, b]) {
    if (!integers.has(familyOf(type.name)) && familyOf(type.name) !== 'bytes')
      throw sqlError(402, a.type.name, b.type.name, operatorName[operator]);
  }
  const common = commonType(a.type, b.type);
  const type = familyOf(common.name) === 'bytes' ? t.int : common;
  const left = coerce(a, type, context);
  const right = coerce(b, type, context);
  if (type.name !== 'bit') return operate(type, left, right, context, integerOperation(operator, type));
  const onInt = integerOperation(operator, t.int);
  return operate(type, left, right, context, (x, y) => onInt(x === true ? 1 : 0, y === true ? 1 : 0) !== 0);
}

/** datetime and smalldatetime add and subtract, as days; the newer types do not. */
function moments(operator: ArithmeticOperator, a: Compiled, b: Compiled, context: Context): Compiled {
  const old = (type: AnyType) => type.name === 'datetime' || type.name === 'smalldatetime';
  const isMoment = (type: AnyType) => familyOf(type.name) === 'moment';
  const refused = [a.type, b.type].find((type) => isMoment(type) && !old(type));
  if (refused !== undefined) {
    const other = refused === a.type ? b.type : a.type;
    throw isMoment(other)
      ? sqlError(8117, refused.name, operatorName[operator])
      : sqlError(206, nameInMessage(other.name), refused.name);
  }
  if (operator !== '+' && operator !== '-') throw sqlError(402, a.type.name, b.type.name, operatorName[operator]);
  const type = old(a.type) ? a.type : b.type;
  const left = coerce(a, t.datetime, context);
  const right = coerce(b, t.datetime, context);
  const direction = operator === '+' ? 1 : -1;
  return operate(type, left, right, context, (x, y) => {
    const moment = toMoment(x, t.datetime);
    const added = toMoment(y, t.datetime);
    const days = (added.day - baseDay) * direction;
    return fromMoment(
      addTicks({ ...moment, day: moment.day + days }, (added.ticks % ticksPerDay) * direction),
      type,
      'datetime',
    );
  });
}

const numeric = new Set(['integer', 'bit', 'decimal', 'money', 'float', 'text', 'rowversion', 'bytes']);

function numbers(operator: ArithmeticOperator, a: Compiled, b: Compiled, context: Context): Compiled {
  for (const { type } of [a, b]) {
    if (!numeric.has(familyOf(type.name)))
      throw sqlError(402, nameInMessage(a.type.name), nameInMessage(b.type.name), operatorName[operator]);
  }
  const common = commonType(a.type, b.type);
  const family = familyOf(common.name);
  const convertible = family === 'text' || family === 'bytes' || family === 'bit' || family === 'rowversion';
  if (convertible) throw sqlError(8117, common.name, operatorName[operator]);
  const both = (type: AnyType): [Compiled, Compiled] => [coerce(a, type, context), coerce(b, type, context)];
  if (family === 'float' || family === 'integer' || family === 'money')
    return operate(common, ...both(common), context, operations[family](operator, common));
  const type = decimalResult(operator, a.type, b.type, shape(a, common), shape(b, common));
  return operate(type, exact(a, common, context), exact(b, common, context), context, decimalOperation(operator, type));
}

/** A constant counts with its own digits, text with the type it becomes. */
function shape(operand: Compiled, common: AnyType): { precision: number; scale: number } {
  if (operand.digits !== undefined) return { precision: operand.digits, scale: 0 };
  return familyOf(operand.type.name) === 'text' ? asDecimal(common) : asDecimal(operand.type);
}

/** The operand as an exact number, with no decimals lost. */
function exact(operand: Compiled, common: AnyType, context: Context): Compiled {
  const family = familyOf(operand.type.name);
  if (family === 'decimal' || family === 'money') return operand;
  if (family === 'text') return coerce(operand, common, context);
  const { precision, scale } = asDecimal(operand.type);
  return coerce(operand, t.decimal(precision, scale), context);
}

/** A sign or ~ before an expression. */
export function unary(operator: Unary['operator'], operand: Compiled, context: Context): Compiled {
  if (operand.bare || operator === '+') return operand;
  if (operator === '~') return complement(operand);
  const family = familyOf(operand.type.name);
  if (!['integer', 'decimal', 'money', 'float'].includes(family))
    throw sqlError(8117, nameInMessage(operand.type.name), 'minus');
  // tinyint has no negative numbers.
  const type = operand.type.name === 'tinyint' ? t.smallint : operand.type;
  const minus = operations[family as keyof typeof operations]('-', type);
  const negated = operate(
    type,
    coerce(constant(t.int, 0), type, context),
    coerce(operand, type, context),
    context,
    minus,
  );
  return operand.digits === undefined ? negated : { ...negated, digits: operand.digits };
}

function complement(operand: Compiled): Compiled {
  const family = familyOf(operand.type.name);
  if (!integers.has(family)) throw sqlError(8117, nameInMessage(operand.type.name), "'~'");
  const flip = (value: unknown): unknown => {
    if (typeof value === 'boolean') return !value;
    if (typeof value === 'bigint') return ~value;
    return operand.type.name === 'tinyint' ? ~Number(value) & 0xff : ~Number(value);
  };
  return {
    ...operand,
    evaluate(env) {
      const value = operand.evaluate(env);
      return value === null ? null : flip(value);
    },
  };
}
