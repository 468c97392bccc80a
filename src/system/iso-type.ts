import type { Row } from '../base/stored.ts';
import { type Columns, orNull } from '../procedure/declare.ts';
import { int, smallint, tinyint } from '../tds/types/index.ts';
import type { AnyType } from '../tds/types/sql-type.ts';
import { declaredLength } from './measures.ts';
import { collation, sysname } from './names.ts';
import { typeFacts } from './type-facts.ts';

/** How the views of INFORMATION_SCHEMA measure a type. */
interface IsoType {
  readonly characters: number | null;
  readonly octets: number | null;
  readonly precision: number | null;
  readonly radix: number | null;
  readonly scale: number | null;
  readonly fraction: number | null;
  readonly characterSet: string | null;
  readonly collation: string | null;
}

const longOctets = 2 ** 31 - 1;

function lengthsOf(type: AnyType): readonly [characters: number, octets: number] {
  if (type.name === 'ntext') return [(longOctets - 1) / 2, longOctets - 1];
  if (type.name === 'text' || type.name === 'image') return [longOctets, longOctets];
  return [declaredLength(type) ?? -1, type.maxLength];
}

/** A type in the terms of the SQL standard. */
export function isoType(type: AnyType): IsoType {
  const { family } = typeFacts[type.name];
  const none = { characters: null, octets: null, precision: null, radix: null, scale: null, fraction: null };
  const rest = {
    characterSet: family !== 'text' ? null : type.name.startsWith('n') ? 'UNICODE' : 'iso_1',
    collation: family === 'text' ? collation : null,
  };
  switch (family) {
    case 'text':
    case 'bytes': {
      const [characters, octets] = lengthsOf(type);
      return { ...none, ...rest, characters, octets };
    }
    case 'integer':
    case 'decimal':
    case 'money':
      return { ...none, ...rest, precision: type.precision, radix: 10, scale: type.scale };
    case 'float':
      return { ...none, ...rest, precision: type.precision, radix: 2 };
    case 'moment':
      return { ...none, ...rest, fraction: type.scale };
    case 'bit':
      return { ...none, ...rest };
    case 'other': {
      const length = type.name === 'xml' ? -1 : type.name === 'sql_variant' ? 0 : null;
      return { ...none, ...rest, characters: length, octets: length };
    }
  }
}

/** The columns that COLUMNS and PARAMETERS have in common. */
export const isoSizeColumns = {
  DATA_TYPE: orNull(sysname),
  CHARACTER_MAXIMUM_LENGTH: orNull(int),
  CHARACTER_OCTET_LENGTH: orNull(int),
} satisfies Columns;

/** The columns for numbers and times that both have in common. */
export const isoNumberColumns = {
  NUMERIC_PRECISION: orNull(tinyint),
  NUMERIC_PRECISION_RADIX: orNull(smallint),
  NUMERIC_SCALE: orNull(int),
  DATETIME_PRECISION: orNull(smallint),
} satisfies Columns;

/** What the first of those columns say of a type. */
export const isoSizeRow = (type: AnyType): Row<typeof isoSizeColumns> => {
  const { characters, octets } = isoType(type);
  return { DATA_TYPE: type.name, CHARACTER_MAXIMUM_LENGTH: characters, CHARACTER_OCTET_LENGTH: octets };
};

/** What the columns for numbers and times say of a type. */
export const isoNumberRow = (type: AnyType): Row<typeof isoNumberColumns> => {
  const { precision, radix, scale, fraction } = isoType(type);
  return {
    NUMERIC_PRECISION: precision,
    NUMERIC_PRECISION_RADIX: radix,
    NUMERIC_SCALE: scale,
    DATETIME_PRECISION: fraction,
  };
};
