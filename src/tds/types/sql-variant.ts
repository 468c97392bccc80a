import { sqlError } from '../../base/messages/sql-error.ts';
import type { Bindable, StoredValue } from '../../base/stored.ts';
import type { ByteReader } from '../byte-reader.ts';
import { badLength, badMetadata, badValue, unknownType } from '../stream-error.ts';
import type { Dialect } from '../version.ts';
import { binary, varbinary } from './binary.ts';
import { bit } from './bit.ts';
import { char, varchar } from './code-page-text.ts';
import { codePageOf } from './collation.ts';
import { date } from './date.ts';
import { datetime, smalldatetime } from './datetime.ts';
import { decimal, numeric } from './decimal.ts';
import { float, real } from './floats.ts';
import { datetime2, datetimeoffset, time } from './fractional.ts';
import { bigint, int, smallint, tinyint } from './integers.ts';
import { mismatch } from './mismatch.ts';
import { money, smallmoney } from './money.ts';
import type { AnyType, SqlType, TypedValue, TypeName } from './sql-type.ts';
import { nchar, nvarchar } from './unicode-text.ts';
import { uniqueidentifier } from './uniqueidentifier.ts';

/** The maximum size of a sql_variant in bytes, including its header and properties. */
const greatest = 8016;
const typeByte = 0x62;

/** The types that a sql_variant may hold, each created from the numbers in its declaration. */
const makers: Partial<Record<TypeName, (first: number, second: number) => AnyType>> = {
  bigint: () => bigint,
  int: () => int,
  smallint: () => smallint,
  tinyint: () => tinyint,
  bit: () => bit,
  decimal,
  numeric,
  money: () => money,
  smallmoney: () => smallmoney,
  float: () => float,
  real: () => real,
  datetime: () => datetime,
  smalldatetime: () => smalldatetime,
  date: () => date,
  time,
  datetime2,
  datetimeoffset,
  char: (length) => char(length),
  varchar: (length) => varchar(length),
  nchar,
  nvarchar,
  binary,
  varbinary,
  uniqueidentifier: () => uniqueidentifier,
};

const holdable = new Map<string, (first: number, second: number) => AnyType>(Object.entries(makers));

/** The types without properties, by their byte inside a sql_variant. */
const plain: ReadonlyMap<number, AnyType> = new Map(
  [
    ...[bigint, int, smallint, tinyint, bit, money, smallmoney, float, real],
    ...[datetime, smalldatetime, date, uniqueidentifier],
  ].map((type: AnyType) => [type.variant?.typeByte ?? 0, type]),
);

/** The types with properties: the size of these, and the function that creates the type from them. */
const withProperties: ReadonlyMap<number, readonly [number, (bytes: ByteReader) => AnyType]> = new Map([
  [0x29, [1, (bytes: ByteReader): AnyType => time(readScale(bytes))]],
  [0x2a, [1, (bytes: ByteReader): AnyType => datetime2(readScale(bytes))]],
  [0x2b, [1, (bytes: ByteReader): AnyType => datetimeoffset(readScale(bytes))]],
  [0x6a, [2, (bytes: ByteReader): AnyType => decimal(...readPrecision(bytes))]],
  [0x6c, [2, (bytes: ByteReader): AnyType => numeric(...readPrecision(bytes))]],
  [0xa5, [2, (bytes: ByteReader): AnyType => varbinary(readLength(bytes, 1))]],
  [0xad, [2, (bytes: ByteReader): AnyType => binary(readLength(bytes, 1))]],
  [0xa7, [7, (bytes: ByteReader): AnyType => readCodePageText(bytes, varchar)]],
  [0xaf, [7, (bytes: ByteReader): AnyType => readCodePageText(bytes, char)]],
  [0xe7, [7, (bytes: ByteReader): AnyType => readUnicodeText(bytes, nvarchar)]],
  [0xef, [7, (bytes: ByteReader): AnyType => readUnicodeText(bytes, nchar)]],
]);

function readScale(bytes: ByteReader): number {
  const scale = bytes.u8();
  if (scale > 7) throw badMetadata(bytes.subject, typeByte);
  return scale;
}

function readPrecision(bytes: ByteReader): [number, number] {
  const precision = bytes.u8();
  const scale = bytes.u8();
  if (precision < 1 || precision > 38 || scale > precision) throw badValue(bytes.subject, 'numeric');
  return [precision, scale];
}

/** A maximum length in units of the type; 0 comes with an empty value. */
function readLength(bytes: ByteReader, unit: number): number {
  const length = bytes.u16();
  if (length > 8000 || length % unit !== 0) throw badMetadata(bytes.subject, typeByte);
  return Math.max(1, length / unit);
}

function readCodePageText(bytes: ByteReader, make: (length: number, page: string) => AnyType): AnyType {
  const page = codePageOf(bytes.bytes(5));
  return make(readLength(bytes, 1), page);
}

function readUnicodeText(bytes: ByteReader, make: (length: number) => AnyType): AnyType {
  bytes.skip(5);
  return make(readLength(bytes, 2));
}

function readHeldType(bytes: ByteReader): AnyType {
  const held = bytes.u8();
  const propertyCount = bytes.u8();
  const simple = plain.get(held);
  const [expected, make] = simple === undefined ? (withProperties.get(held) ?? []) : [0, () => simple];
  if (expected === undefined || make === undefined) throw unknownType(bytes.subject, held);
  if (propertyCount !== expected) throw badMetadata(bytes.subject, held);
  return make(bytes);
}

function readHeld(bytes: ByteReader): TypedValue {
  const type = readHeldType(bytes);
  const length = bytes.remaining;
  if (type.variant === undefined) throw badValue(bytes.subject, 'sql_variant');
  // Numbers check their own lengths, and a decimal may take more bytes than it needs.
  if (type.precision === 0 && length > type.maxLength) throw badLength(bytes.subject, type.name);
  return { type, value: type.variant.read(bytes, length) };
}

/** Replaces a value of a type that the client does not know by one of the type that it gets instead. */
function dressed({ type, value }: TypedValue, dialect: Dialect): TypedValue {
  if (dialect.atLeast73 || type.asText === undefined) return { type, value };
  const text = type.asText(value);
  return { type: nvarchar(text.length), value: text };
}

function isTyped(value: unknown): value is TypedValue {
  return typeof value === 'object' && value !== null && 'type' in value && 'value' in value;
}

const textOf = (stored: Exclude<Bindable, null>): string => {
  if (stored instanceof Uint8Array) return Buffer.from(stored).toString('hex');
  if (stored instanceof Date) return String(stored.getTime());
  if (typeof stored === 'boolean') return stored ? '1' : '0';
  return Object.is(stored, -0) ? '-0' : String(stored);
};

const declared = /^([a-z0-9]+)(?:\((\d+)(?:,(\d+))?\))?:/;

/** Parses the output of `toStore`: the declaration of the type, a colon, and the value's own stored form. */
function parseStored(stored: Exclude<StoredValue, null>): TypedValue {
  const text = stored instanceof Uint8Array ? Buffer.from(stored).toString() : String(stored);
  const match = declared.exec(text);
  const [prefix = '', name = '', first = '0', second = '0'] = match ?? [];
  const make = holdable.get(name);
  if (make === undefined) throw mismatch(stored, 'sql_variant');
  const type = make(Number(first), Number(second));
  const kept = text.slice(prefix.length);
  const isBytes = type.name === 'binary' || type.name === 'varbinary';
  return { type, value: type.fromStore(isBytes ? Buffer.from(kept, 'hex') : kept) };
}

/** A value of almost any type together with that type; stored as text, so that the type is preserved. */
export const sqlVariant: SqlType<TypedValue> = {
  name: 'sql_variant',
  declaration: 'sql_variant',
  maxLength: greatest,
  precision: 0,
  scale: 0,
  check(value) {
    if (!isTyped(value)) throw mismatch(value, 'sql_variant');
    if (value.type.variant === undefined) throw sqlError(206, value.type.name, 'sql_variant');
    return { type: value.type, value: value.value === null ? null : value.type.check(value.value) };
  },
  fromStore: parseStored,
  toStore: ({ type, value }) => (value === null ? null : `${type.declaration}:${textOf(type.toStore(value) ?? '')}`),
  writeInfo(out) {
    out.u8(typeByte);
    out.u32(greatest - 7);
  },
  write(out, value, dialect) {
    if (value === null || value.value === null) return out.u32(0);
    const shown = dressed(value, dialect);
    const { variant } = shown.type;
    if (variant === undefined) throw sqlError(206, shown.type.name, 'sql_variant');
    const slot = out.slotU32();
    out.u8(variant.typeByte);
    out.u8(variant.properties.length);
    out.bytes(variant.properties);
    variant.write(out, shown.value);
    out.closeU32(slot);
  },
  read(bytes) {
    const length = bytes.u32();
    if (length === 0) return null;
    if (length > greatest) throw badMetadata(bytes.subject, typeByte);
    return readHeld(bytes.window(length));
  },
};
