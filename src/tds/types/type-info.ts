import { SqlError } from '../../base/messages/sql-error.ts';
import type { ByteReader } from '../byte-reader.ts';
import { badMetadata, badValue, unknownType } from '../stream-error.ts';
import type { Dialect } from '../version.ts';
import { binary, image, varbinary } from './binary.ts';
import { bit } from './bit.ts';
import { char, ownPage, textIn, varchar } from './code-page-text.ts';
import { codePageOf, readCollation } from './collation.ts';
import { date } from './date.ts';
import { datetime, smalldatetime } from './datetime.ts';
import { decimal, numeric } from './decimal.ts';
import { float, real } from './floats.ts';
import { datetime2, datetimeoffset, time } from './fractional.ts';
import { bigint, int, smallint, tinyint } from './integers.ts';
import { money, smallmoney } from './money.ts';
import { neverNull } from './never-null.ts';
import { readOldInfo } from './old-types.ts';
import type { AnyType } from './sql-type.ts';
import { sqlVariant } from './sql-variant.ts';
import { nchar, ntext, nvarchar } from './unicode-text.ts';
import { uniqueidentifier } from './uniqueidentifier.ts';
import { xml } from './xml.ts';

type InfoReader = (bytes: ByteReader, dialect: Dialect, typeByte: number) => AnyType;

/** A fixed-length value, which no length precedes because its type is never NULL. */
function fixed(type: AnyType): InfoReader {
  const form = neverNull(type);
  return () => form;
}

/** Types that share a type byte and are distinguished by the length that follows it. */
const bySize =
  (types: Readonly<Record<number, AnyType>>): InfoReader =>
  (bytes, _dialect, typeByte) => {
    const type = types[bytes.u8()];
    if (type === undefined) throw badMetadata(bytes.subject, typeByte);
    return type;
  };

/** Types with a scale, created once per scale. */
function byScale(make: (scale: number) => AnyType): InfoReader {
  const types = Array.from({ length: 8 }, (_, scale) => make(scale));
  return (bytes, _dialect, typeByte) => {
    const type = types[bytes.u8()];
    if (type === undefined) throw badMetadata(bytes.subject, typeByte);
    return type;
  };
}

const exact =
  (make: (precision: number, scale: number) => AnyType): InfoReader =>
  (bytes, _dialect, typeByte) => {
    const size = bytes.u8();
    const precision = bytes.u8();
    const scale = bytes.u8();
    if (size < 2 || size > 17) throw badMetadata(bytes.subject, typeByte);
    if (precision > 38 || scale > precision) throw badValue(bytes.subject, 'numeric');
    // Microsoft's JDBC driver announces the precision of the longest value of a column: 0 if all are NULL.
    return make(Math.max(1, precision), scale);
  };

/** A maximum length in bytes, or max; clients send 0 for a value that is empty or NULL. */
function readLimit(bytes: ByteReader, dialect: Dialect, typeByte: number, unit: number): number | 'max' {
  const limit = bytes.u16();
  if (limit === 0xffff && dialect.atLeast72) return 'max';
  if (limit > 8000 || limit % unit !== 0) throw badMetadata(bytes.subject, typeByte);
  return Math.max(1, limit / unit);
}

/** For the forms without max, where 0xFFFF is not a valid length. */
function readFixedLimit(bytes: ByteReader, dialect: Dialect, typeByte: number, unit: number): number {
  const limit = readLimit(bytes, dialect, typeByte, unit);
  if (limit === 'max') throw badMetadata(bytes.subject, typeByte);
  return limit;
}

const readVarchar: InfoReader = (bytes, dialect, typeByte) => {
  const limit = readLimit(bytes, dialect, typeByte, 1);
  return varchar(limit, codePageOf(readCollation(bytes, dialect)));
};

const readChar: InfoReader = (bytes, dialect, typeByte) => {
  const limit = readFixedLimit(bytes, dialect, typeByte, 1);
  return char(limit, codePageOf(readCollation(bytes, dialect)));
};

const readNvarchar: InfoReader = (bytes, dialect, typeByte) => {
  const limit = readLimit(bytes, dialect, typeByte, 2);
  readCollation(bytes, dialect);
  return nvarchar(limit);
};

const readNchar: InfoReader = (bytes, dialect, typeByte) => {
  const limit = readFixedLimit(bytes, dialect, typeByte, 2);
  readCollation(bytes, dialect);
  return nchar(limit);
};

const readText: InfoReader = (bytes, dialect) => {
  bytes.u32();
  return textIn(codePageOf(readCollation(bytes, dialect)));
};

const readNtext: InfoReader = (bytes, dialect) => {
  bytes.u32();
  readCollation(bytes, dialect);
  return ntext;
};

const readImage: InfoReader = (bytes) => {
  bytes.u32();
  return image;
};

/** MS-TDS 2.2.5.5.3: the schema collection, if there is one, is three names. */
const readXml: InfoReader = (bytes, _dialect, typeByte) => {
  const hasSchema = bytes.u8();
  if (hasSchema > 1) throw badMetadata(bytes.subject, typeByte);
  if (hasSchema === 1) {
    bytes.bVarchar();
    bytes.bVarchar();
    bytes.usVarchar();
  }
  return xml;
};

const readVariant: InfoReader = (bytes) => {
  bytes.u32();
  return sqlVariant;
};

const userDefined: InfoReader = (bytes, _dialect, typeByte) => {
  const { number, message } = unknownType(bytes.subject, typeByte);
  throw new SqlError(number, `${message} User-defined types are not supported.`);
};

const alwaysNull: AnyType = { ...int, read: () => null };

const readers: ReadonlyMap<number, InfoReader> = new Map<number, InfoReader>([
  [0x1f, () => alwaysNull],
  [0x30, fixed(tinyint)],
  [0x32, fixed(bit)],
  [0x34, fixed(smallint)],
  [0x38, fixed(int)],
  [0x3a, fixed(smalldatetime)],
  [0x3b, fixed(real)],
  [0x3c, fixed(money)],
  [0x3d, fixed(datetime)],
  [0x3e, fixed(float)],
  [0x7a, fixed(smallmoney)],
  [0x7f, fixed(bigint)],
  // Microsoft's JDBC driver announces a NULL as one of no length.
  [0x24, bySize({ 0: uniqueidentifier, 16: uniqueidentifier })],
  [0x26, bySize({ 1: tinyint, 2: smallint, 4: int, 8: bigint })],
  [0x68, bySize({ 1: bit })],
  [0x6d, bySize({ 4: real, 8: float })],
  [0x6e, bySize({ 4: smallmoney, 8: money })],
  [0x6f, bySize({ 4: smalldatetime, 8: datetime })],
  [0x37, exact(decimal)],
  [0x3f, exact(numeric)],
  [0x6a, exact(decimal)],
  [0x6c, exact(numeric)],
  [0x28, () => date],
  [0x29, byScale(time)],
  [0x2a, byScale(datetime2)],
  [0x2b, byScale(datetimeoffset)],
  [0x27, readOldInfo((length) => varchar(length, ownPage))],
  [0x2f, readOldInfo((length) => char(length, ownPage))],
  [0x25, readOldInfo(varbinary)],
  [0x2d, readOldInfo(binary)],
  [0xa7, readVarchar],
  [0xaf, readChar],
  [0xe7, readNvarchar],
  [0xef, readNchar],
  [0xa5, (bytes, dialect, typeByte) => varbinary(readLimit(bytes, dialect, typeByte, 1))],
  [0xad, (bytes, dialect, typeByte) => binary(readFixedLimit(bytes, dialect, typeByte, 1))],
  [0x23, readText],
  [0x63, readNtext],
  [0x22, readImage],
  [0xf1, readXml],
  [0x62, readVariant],
  [0xf0, userDefined],
]);

/** Reads TYPE_INFO (MS-TDS 2.2.5.6); the returned type reads values in exactly the announced form. */
export function readTypeInfo(bytes: ByteReader, dialect: Dialect): AnyType {
  const typeByte = bytes.u8();
  const read = readers.get(typeByte);
  if (read === undefined) throw unknownType(bytes.subject, typeByte);
  return read(bytes, dialect, typeByte);
}
