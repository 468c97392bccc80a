import { sqlError } from '../base/messages/sql-error.ts';
import { familyOf, isOldLob, isUnicode } from '../tds/convert/families.ts';
import { charactersOf } from '../tds/convert/to-text.ts';
import { collated } from '../tds/types/collated.ts';
import type { Collation } from '../tds/types/collation-name.ts';
import * as t from '../tds/types/index.ts';
import type { AnyType, TypeName } from '../tds/types/sql-type.ts';

/** SQL Server's order of types, the greatest first: of two operands the lesser converts to the greater. */
const order: readonly TypeName[] = [
  'sql_variant',
  'xml',
  'datetimeoffset',
  'datetime2',
  'datetime',
  'smalldatetime',
  'date',
  'time',
  'float',
  'real',
  'decimal',
  'numeric',
  'money',
  'smallmoney',
  'bigint',
  'int',
  'smallint',
  'tinyint',
  'bit',
  'ntext',
  'text',
  'image',
  'timestamp',
  'uniqueidentifier',
  'nvarchar',
  'nchar',
  'varchar',
  'char',
  'varbinary',
  'binary',
];
const ranks = new Map(order.map((name, index) => [name, index]));
const rank = (type: AnyType): number => ranks.get(type.name) ?? order.length;

/** How many digits an integer type has as a decimal. */
const digits: Readonly<Partial<Record<TypeName, number>>> = { bigint: 19, int: 10, smallint: 5, tinyint: 3, bit: 1 };

/** Precision and scale of a number as a decimal. */
export function asDecimal(type: AnyType): { precision: number; scale: number } {
  const whole = digits[type.name];
  if (whole !== undefined) return { precision: whole, scale: 0 };
  if (type.name === 'money') return { precision: 19, scale: 4 };
  if (type.name === 'smallmoney') return { precision: 10, scale: 4 };
  return { precision: type.precision, scale: type.scale };
}

/** A decimal type within 38 digits: what is too much is taken from the scale, but six decimals stay. */
export function decimalWithin(precision: number, scale: number): AnyType {
  if (precision <= 38) return t.decimal(precision, scale);
  const kept = Math.max(Math.min(scale, 6), scale - (precision - 38));
  return t.decimal(38, kept);
}

/** The text type that holds both: unicode if one is, max if one is, variable unless both are fixed. */
function commonText(a: AnyType, b: AnyType): AnyType {
  const unicode = isUnicode(a.name) || isUnicode(b.name);
  const length = Math.max(charactersOf(a), charactersOf(b));
  const fixed = isFixedText(a) && isFixedText(b);
  const type = fixed ? (unicode ? t.nchar(Math.min(length, 4000)) : t.char(length)) : textOf(unicode, length);
  const collation = commonCollation(a, b);
  return collation === undefined ? type : collated(type, collation);
}

/** The collation of a COLLATE takes precedence over that of a column; two of the same rank must be equal: 468. */
export function commonCollation({ collation: a }: AnyType, { collation: b }: AnyType): Collation | undefined {
  if (a === undefined || b === undefined || a.name.toLowerCase() === b.name.toLowerCase()) return a ?? b;
  if (a.explicit !== b.explicit) return a.explicit ? a : b;
  throw sqlError(468, a.name, b.name, 'equal to');
}

const isFixedText = (type: AnyType): boolean => type.name === 'char' || type.name === 'nchar';

/** varchar or nvarchar of a length; max if it is longer than a row allows. */
export function textOf(unicode: boolean, length: number): AnyType {
  if (unicode) return t.nvarchar(length > 4000 ? 'max' : Math.max(1, length));
  return t.varchar(length > 8000 ? 'max' : Math.max(1, length));
}

const lengthOfBytes = (type: AnyType): number =>
  type.maxLength < 0 || type.name === 'image' ? Number.POSITIVE_INFINITY : type.maxLength;

/** varbinary of a length. */
export const bytesOf = (length: number): AnyType => t.varbinary(length > 8000 ? 'max' : Math.max(1, length));

/** The type that both operands of an operator, or two branches of a CASE, become. */
export function commonType(a: AnyType, b: AnyType): AnyType {
  if (a.declaration === b.declaration && a.collation === b.collation) return a;
  const [high, low] = rank(a) <= rank(b) ? [a, b] : [b, a];
  const family = familyOf(high.name);
  if (isOldLob(high.name) && familyOf(low.name) === family) return high;
  if (family === 'text' && familyOf(low.name) === 'text') return commonText(a, b);
  if (family === 'bytes' && familyOf(low.name) === 'bytes')
    return bytesOf(Math.max(lengthOfBytes(a), lengthOfBytes(b)));
  if (family === 'decimal' && isExactNumber(low)) return commonDecimal(a, b);
  if (high.name === low.name && family === 'moment') return high.scale >= low.scale ? high : low;
  return high;
}

const isExactNumber = (type: AnyType): boolean => ['integer', 'bit', 'decimal', 'money'].includes(familyOf(type.name));

function commonDecimal(a: AnyType, b: AnyType): AnyType {
  const left = asDecimal(a);
  const right = asDecimal(b);
  const scale = Math.max(left.scale, right.scale);
  return decimalWithin(Math.max(left.precision - left.scale, right.precision - right.scale) + scale, scale);
}

const operatorNames: Readonly<Record<string, string>> = {
  '=': 'equal to',
  '<>': 'not equal to',
  '<': 'less than',
  '<=': 'less than or equal to',
  '>': 'greater than',
  '>=': 'greater than or equal to',
};

/** The type in which two values are compared; 402 for the large and xml types, which have no order. */
export function comparisonType(a: AnyType, b: AnyType, operator: string): AnyType {
  const unordered = [a, b].some((type) => isOldLob(type.name) || type.name === 'xml');
  if (unordered) throw sqlError(402, a.name, b.name, operatorNames[operator] ?? operator);
  return commonType(a, b);
}
