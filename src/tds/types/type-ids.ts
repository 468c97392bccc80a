import type { TypeName } from './sql-type.ts';

/** The number of each type in sys.types: its system_type_id, and its user_type_id too. */
export const typeIds: Readonly<Record<TypeName, number>> = {
  bigint: 127,
  int: 56,
  smallint: 52,
  tinyint: 48,
  bit: 104,
  decimal: 106,
  numeric: 108,
  money: 60,
  smallmoney: 122,
  float: 62,
  real: 59,
  datetime: 61,
  smalldatetime: 58,
  date: 40,
  time: 41,
  datetime2: 42,
  datetimeoffset: 43,
  char: 175,
  varchar: 167,
  text: 35,
  nchar: 239,
  nvarchar: 231,
  ntext: 99,
  binary: 173,
  varbinary: 165,
  image: 34,
  timestamp: 189,
  uniqueidentifier: 36,
  xml: 241,
  sql_variant: 98,
  'table type': 243,
};

/** sysname is nvarchar(128) by a name and a user_type_id of its own. */
export const sysnameId = 256;
