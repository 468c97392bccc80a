import type { AnyType, TypeName } from '../tds/types/sql-type.ts';
import { typeFacts } from './type-facts.ts';

/** How ODBC measures a type: the columns of sp_columns and related procedures after the type's name. */
interface Measures {
  readonly dataType: number;
  readonly precision: number;
  readonly length: number;
  readonly scale: number | null;
  readonly radix: number | null;
  readonly sqlDataType: number;
  readonly datetimeSub: number | null;
  readonly octets: number | null;
}

/** The ODBC version that a client requests, and whether it knows the types that were new in SQL Server 2008. */
export interface OdbcLevel {
  readonly version: number;
  readonly modern: boolean;
}

type Size = Pick<Measures, 'precision' | 'length' | 'scale' | 'radix' | 'octets'>;

/** Bytes of the C structures that ODBC moves dates and times in. */
const structs: Partial<Record<TypeName, number>> = {
  datetime: 16,
  smalldatetime: 16,
  datetime2: 16,
  date: 6,
  time: 12,
  datetimeoffset: 20,
};

/** Digits and marks of a date or time written out, without the fraction of a second. */
const written: Partial<Record<TypeName, number>> = { time: 8, datetime2: 19, datetimeoffset: 26 };

const longCharacters = 2 ** 31 - 1;

/** The number of characters of a date or time as text. */
function writtenLength({ name, precision, scale }: AnyType): number {
  const whole = written[name];
  return whole === undefined ? precision : scale > 0 ? whole + 1 + scale : whole;
}

/** The length in characters or bytes that was declared; undefined for max and for types that have none. */
export function declaredLength({ name, maxLength }: AnyType): number | undefined {
  if (maxLength < 0) return undefined;
  return name === 'nchar' || name === 'nvarchar' ? maxLength / 2 : maxLength;
}

function textSize(type: AnyType): Size {
  const size = (precision: number, length: number): Size => ({
    precision,
    length,
    scale: null,
    radix: null,
    octets: length,
  });
  if (type.name === 'ntext') return size((longCharacters - 1) / 2, longCharacters - 1);
  if (type.name === 'text' || type.name === 'image') return size(longCharacters, longCharacters);
  return size(declaredLength(type) ?? 0, Math.max(type.maxLength, 0));
}

function sizeOf(type: AnyType): Size {
  const { name, precision, scale, maxLength } = type;
  switch (typeFacts[name].family) {
    case 'integer':
      return { precision, length: maxLength, scale: 0, radix: 10, octets: null };
    case 'bit':
      return { precision: 1, length: 1, scale: null, radix: null, octets: null };
    case 'decimal':
    case 'money':
      return { precision, length: precision + 2, scale, radix: 10, octets: null };
    case 'float':
      return { precision, length: maxLength, scale: null, radix: 2, octets: null };
    case 'moment':
      return { precision: writtenLength(type), length: structs[name] ?? maxLength, scale, radix: null, octets: null };
    case 'text':
    case 'bytes':
      return textSize(type);
    case 'other':
      if (name === 'uniqueidentifier') return { precision: 36, length: 16, scale: null, radix: null, octets: null };
      if (name === 'xml') return { precision: 0, length: 0, scale: null, radix: null, octets: 0 };
      return { precision: 0, length: 8000, scale: null, radix: 10, octets: 8000 };
  }
}

const nvarcharOdbc = -9;
const odbc2: Readonly<Record<number, number>> = { 91: 9, 93: 11 };
const subtypes: Readonly<Record<number, number>> = { 91: 1, 93: 3 };
const recent: ReadonlySet<TypeName> = new Set(['date', 'time', 'datetime2', 'datetimeoffset']);

/**
 * A type in terms of ODBC; clients from before SQL Server 2008 see its new types as text, which is how they receive
 * them.
 */
export function measure(type: AnyType, { version, modern }: OdbcLevel): Measures {
  const { odbc } = typeFacts[type.name];
  const size = sizeOf(type);
  const sub = subtypes[odbc];
  if (recent.has(type.name) && !modern) {
    const length = size.precision * 2;
    return { ...size, length, dataType: nvarcharOdbc, sqlDataType: nvarcharOdbc, datetimeSub: null };
  }
  return {
    ...size,
    dataType: version < 3 ? (odbc2[odbc] ?? odbc) : odbc,
    sqlDataType: sub === undefined ? odbc : 9,
    datetimeSub: sub ?? (type.name === 'time' || type.name === 'datetimeoffset' ? 0 : null),
  };
}
