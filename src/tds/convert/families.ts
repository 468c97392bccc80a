import type { TypeName } from '../types/sql-type.ts';

/** Types with similar values and the same conversion rules. */
export type Family =
  | 'integer'
  | 'bit'
  | 'decimal'
  | 'money'
  | 'float'
  | 'text'
  | 'bytes'
  | 'rowversion'
  | 'moment'
  | 'guid'
  | 'xml'
  | 'variant'
  | 'table';

const families: Record<TypeName, Family> = {
  bigint: 'integer',
  int: 'integer',
  smallint: 'integer',
  tinyint: 'integer',
  bit: 'bit',
  decimal: 'decimal',
  numeric: 'decimal',
  money: 'money',
  smallmoney: 'money',
  float: 'float',
  real: 'float',
  datetime: 'moment',
  smalldatetime: 'moment',
  date: 'moment',
  time: 'moment',
  datetime2: 'moment',
  datetimeoffset: 'moment',
  char: 'text',
  varchar: 'text',
  text: 'text',
  nchar: 'text',
  nvarchar: 'text',
  ntext: 'text',
  binary: 'bytes',
  varbinary: 'bytes',
  image: 'bytes',
  timestamp: 'rowversion',
  uniqueidentifier: 'guid',
  xml: 'xml',
  sql_variant: 'variant',
  'table type': 'table',
};

/** The family of a type. */
export const familyOf = (name: TypeName): Family => families[name];

/** True for types that hold UTF-16 text. */
export const isUnicode = (name: TypeName): boolean => name === 'nchar' || name === 'nvarchar' || name === 'ntext';

/** True for text, ntext and image, which convert to few other types. */
export const isOldLob = (name: TypeName): boolean => name === 'text' || name === 'ntext' || name === 'image';

/** The name of a type in messages: SQL Server writes numeric for decimal. */
export const nameInMessage = (name: TypeName): string => (name === 'decimal' ? 'numeric' : name);
