import type { ParamDescription } from '../procedure/describe.ts';
import type { TemporaryColumn } from '../procedure/relations/tsql-view.ts';
import type { AnyType } from '../tds/types/sql-type.ts';
import type { CatalogRelation } from './catalog.ts';
import { declaredLength } from './measures.ts';
import { collation } from './names.ts';
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
function isoType(type: AnyType): IsoType {
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

/** The columns of COLUMNS and PARAMETERS that describe a type. */
function isoTypeRow(type: AnyType) {
  const { characters, octets, precision, radix, scale, fraction, characterSet, collation: collated } = isoType(type);
  return {
    DATA_TYPE: type.name,
    CHARACTER_MAXIMUM_LENGTH: characters,
    CHARACTER_OCTET_LENGTH: octets,
    NUMERIC_PRECISION: precision,
    NUMERIC_PRECISION_RADIX: radix,
    NUMERIC_SCALE: scale,
    DATETIME_PRECISION: fraction,
    CHARACTER_SET_NAME: characterSet,
    COLLATION_NAME: collated,
  };
}

/** A column as INFORMATION_SCHEMA lists it. */
export const isoColumnRow = (
  { database }: { readonly database: string },
  { schema, name }: CatalogRelation,
  column: TemporaryColumn,
  ordinal: number,
) => ({
  TABLE_CATALOG: database,
  TABLE_SCHEMA: schema,
  TABLE_NAME: name,
  COLUMN_NAME: column.name,
  ORDINAL_POSITION: ordinal,
  COLUMN_DEFAULT: column.byDefault ?? null,
  IS_NULLABLE: column.nullable ? 'YES' : 'NO',
  ...isoTypeRow(column.type),
});

/** A parameter as INFORMATION_SCHEMA lists it. */
export const isoParameterRow = ({ ordinal, output, name, type }: ParamDescription) => ({
  ORDINAL_POSITION: ordinal,
  PARAMETER_MODE: output ? 'INOUT' : 'IN',
  PARAMETER_NAME: name,
  ...isoTypeRow(type),
});
