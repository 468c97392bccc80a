import { byName } from '../../base/by-name.ts';
import { sqlError } from '../../base/messages/sql-error.ts';
import * as t from '../../tds/types/index.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { isTableType, tableType } from '../../tds/types/table-type.ts';
import type { Token } from '../lexer/token.ts';
import type { TokenStream } from './token-stream.ts';

type Size = number | 'max';

const plain: Readonly<Record<string, AnyType>> = byName({
  bigint: t.bigint,
  int: t.int,
  integer: t.int,
  smallint: t.smallint,
  tinyint: t.tinyint,
  bit: t.bit,
  money: t.money,
  smallmoney: t.smallmoney,
  real: t.real,
  datetime: t.datetime,
  smalldatetime: t.smalldatetime,
  date: t.date,
  text: t.text,
  ntext: t.ntext,
  image: t.image,
  timestamp: t.rowversion,
  rowversion: t.rowversion,
  uniqueidentifier: t.uniqueidentifier,
  xml: t.xml,
  sql_variant: t.sqlVariant,
  sysname: t.nvarchar(128),
});

/** Types with a length: how to make one, the longest, and whether they may be max. */
const sized: Readonly<Record<string, { make: (size: Size) => AnyType; longest: number; max: boolean }>> = byName({
  char: { make: (n) => t.char(fixed(n)), longest: 8000, max: false },
  character: { make: (n) => t.char(fixed(n)), longest: 8000, max: false },
  varchar: { make: t.varchar, longest: 8000, max: true },
  nchar: { make: (n) => t.nchar(fixed(n)), longest: 4000, max: false },
  nvarchar: { make: t.nvarchar, longest: 4000, max: true },
  binary: { make: (n) => t.binary(fixed(n)), longest: 8000, max: false },
  varbinary: { make: t.varbinary, longest: 8000, max: true },
});

const scaled: Readonly<Record<string, (scale: number) => AnyType>> = byName({
  time: t.time,
  datetime2: t.datetime2,
  datetimeoffset: t.datetimeoffset,
});

/** `max` is refused before a type of fixed length is made. */
const fixed = (size: Size): number => (size === 'max' ? 1 : size);

/** Every name of a type, in its shortest form. */
export const typeNames: readonly string[] = [
  ...Object.keys(plain),
  ...Object.keys(sized).flatMap((name) => (sized[name]?.max ? [name, `${name}(max)`] : [name])),
  ...Object.keys(scaled),
  'float',
  'decimal',
  'numeric',
];

/** The default length of a sized type: 1 in a declaration, 30 in CAST and CONVERT. */
type SizeDefault = 1 | 30;

/** Reads a type: `int`, `[nvarchar](max)`, `decimal(18, 2)`, `sys.int`, `national char varying(5)`. */
export function dataType(cursor: TokenStream, byDefault: SizeDefault = 1): AnyType {
  const { line } = cursor;
  const parts = typeParts(cursor);
  const type = namedType(cursor, typeIn(parts), line, byDefault);
  if (type === undefined) throw sqlError(2715, 1, typeIn(parts)).at({ line });
  return type;
}

/**
 * Reads the type of a variable or parameter: any other name is that of a table type, which must exist when it is used.
 */
export function variableType(cursor: TokenStream): AnyType {
  const { line } = cursor;
  const parts = typeParts(cursor);
  const [name = '', schema, database] = parts.toReversed();
  const type = namedType(cursor, typeIn(parts), line, 1);
  return type ?? tableType({ name, ...(schema ? { schema } : {}), ...(database ? { database } : {}) });
}

/** Reads the type after the name of a parameter: a table must be READONLY (352), and nothing else may be (346). */
export function parameterType(cursor: TokenStream, { text, line }: Token): AnyType {
  cursor.accept('AS');
  const type = variableType(cursor);
  const isTable = isTableType(type);
  cursor.declare(text, isTable ? 'table' : 'scalar', line);
  if (cursor.accept('READONLY') !== isTable) throw sqlError(isTable ? 352 : 346, text).at({ line });
  return type;
}

/** Reads what follows the name of a type; undefined for a name that no type of values has. */
function namedType(cursor: TokenStream, name: string, line: number, byDefault: SizeDefault): AnyType | undefined {
  const known = plain[name];
  if (known !== undefined) return known;
  const size = sized[name];
  if (size !== undefined) return sizedType(cursor, name, size, byDefault);
  if (name === 'float') return floatType(cursor);
  if (name === 'decimal' || name === 'numeric' || name === 'dec') return decimalType(cursor, name);
  const fraction = scaled[name];
  if (fraction === undefined) return undefined;
  const [scale = 7] = numbers(cursor, 1);
  if (scale > 7) throw sqlError(1002, 1, scale).at({ line });
  return fraction(scale);
}

/** The name of a type without the names before it. */
const typeIn = (parts: readonly string[]): string => (parts.at(-1) ?? '').toLowerCase();

/** The parts of a type's name; of the names with several words, the one that means the same. */
function typeParts(cursor: TokenStream): readonly string[] {
  if (cursor.accept('NATIONAL')) {
    const kind = cursor.name().toLowerCase();
    if (kind === 'text') return ['ntext'];
    return [cursor.accept('VARYING') ? 'nvarchar' : 'nchar'];
  }
  if (cursor.accept('DOUBLE', 'PRECISION')) return ['float'];
  const parts = cursor.parts();
  const varying = varyingOf[typeIn(parts)];
  return varying !== undefined && cursor.accept('VARYING') ? [varying] : parts;
}

/** What VARYING makes of types. */
const varyingOf: Readonly<Record<string, string>> = byName({
  char: 'varchar',
  character: 'varchar',
  nchar: 'nvarchar',
  binary: 'varbinary',
});

function sizedType(cursor: TokenStream, name: string, kind: (typeof sized)[string], byDefault: SizeDefault): AnyType {
  const { line } = cursor;
  if (!cursor.accept('(')) return kind.make(byDefault);
  const isMax = cursor.accept('MAX');
  const size: Size = isMax ? 'max' : whole(cursor);
  cursor.expect(')');
  if (isMax && !kind.max) throw sqlError(102, 'max').at({ line });
  if (size === 0) throw sqlError(1001, 1, 0).at({ line });
  if (size !== 'max' && size > kind.longest) throw sqlError(131, size, name, kind.longest).at({ line });
  return kind.make(size);
}

function floatType(cursor: TokenStream): AnyType {
  const [bits = 53] = numbers(cursor, 1);
  return bits <= 24 ? t.real : t.float;
}

function decimalType(cursor: TokenStream, name: string): AnyType {
  const { line } = cursor;
  const [precision = 18, scale = 0] = numbers(cursor, 2);
  if (precision < 1 || precision > 38) throw sqlError(2750, 1, precision, 38).at({ line });
  if (scale > precision) throw sqlError(183, scale, precision).at({ line });
  return name === 'numeric' ? t.numeric(precision, scale) : t.decimal(precision, scale);
}

function numbers(cursor: TokenStream, most: number): number[] {
  if (!cursor.accept('(')) return [];
  const list = [whole(cursor)];
  while (list.length < most && cursor.accept(',')) list.push(whole(cursor));
  cursor.expect(')');
  return list;
}

function whole(cursor: TokenStream): number {
  if (cursor.peek().kind !== 'integer' || cursor.peek().text.length > 9) throw cursor.unexpected();
  return Number(cursor.next().text);
}
