import type { AnyType, TypeName } from '../tds/types/sql-type.ts';
import { isTableType } from '../tds/types/table-type.ts';
import { typeIds } from '../tds/types/type-ids.ts';

/** The numbers by which SQL Server's catalogs describe a type to drivers, besides its length. */
interface TypeFacts {
  /** sys.types.system_type_id; for these types also the user_type_id. */
  readonly id: number;
  /** systypes.usertype, as TDS and Sybase number types. */
  readonly usertype: number;
  /** The SQL type of ODBC 3. */
  readonly odbc: number;
  /** SS_DATA_TYPE if NULL is allowed, and if it is not. */
  readonly ss: readonly [nullable: number, notNull: number];
  /** Its SqlDbType in ADO.NET. */
  readonly clr: number;
  /** Its DBTYPE in OLE DB. */
  readonly oledb: number;
  readonly family: TypeFamily;
}

/** Types with the same measures. */
type TypeFamily = 'integer' | 'bit' | 'decimal' | 'money' | 'float' | 'moment' | 'text' | 'bytes' | 'other';

const row = (
  name: TypeName,
  family: TypeFamily,
  usertype: number,
  odbc: number,
  ss: readonly [number, number],
  clr: number,
  oledb: number,
): TypeFacts => ({ family, id: typeIds[name], usertype, odbc, ss, clr, oledb });

/** Every type with its numbers: systypes, ODBC, SS_DATA_TYPE, SqlDbType, DBTYPE. */
export const typeFacts: Readonly<Record<TypeName, TypeFacts>> = {
  bigint: row('bigint', 'integer', 0, -5, [108, 63], 0, 20),
  int: row('int', 'integer', 7, 4, [38, 56], 8, 3),
  smallint: row('smallint', 'integer', 6, 5, [38, 52], 16, 2),
  tinyint: row('tinyint', 'integer', 5, -6, [38, 48], 20, 17),
  bit: row('bit', 'bit', 16, -7, [50, 50], 2, 11),
  decimal: row('decimal', 'decimal', 24, 3, [106, 55], 5, 131),
  numeric: row('numeric', 'decimal', 10, 2, [108, 63], 5, 131),
  money: row('money', 'money', 11, 3, [110, 60], 9, 6),
  smallmoney: row('smallmoney', 'money', 21, 3, [110, 122], 17, 6),
  float: row('float', 'float', 8, 6, [109, 62], 6, 5),
  real: row('real', 'float', 23, 7, [109, 59], 13, 4),
  datetime: row('datetime', 'moment', 12, 93, [111, 61], 4, 135),
  smalldatetime: row('smalldatetime', 'moment', 22, 93, [111, 58], 15, 135),
  date: row('date', 'moment', 0, 91, [0, 0], 31, 133),
  time: row('time', 'moment', 0, -154, [0, 0], 32, 145),
  datetime2: row('datetime2', 'moment', 0, 93, [0, 0], 33, 135),
  datetimeoffset: row('datetimeoffset', 'moment', 0, -155, [0, 0], 34, 146),
  char: row('char', 'text', 1, 1, [39, 47], 3, 129),
  varchar: row('varchar', 'text', 2, 12, [39, 39], 22, 129),
  text: row('text', 'text', 19, -1, [35, 35], 18, 129),
  nchar: row('nchar', 'text', 0, -8, [39, 39], 10, 130),
  nvarchar: row('nvarchar', 'text', 0, -9, [39, 39], 12, 130),
  ntext: row('ntext', 'text', 0, -10, [35, 35], 11, 130),
  binary: row('binary', 'bytes', 3, -2, [37, 45], 1, 128),
  varbinary: row('varbinary', 'bytes', 4, -3, [37, 37], 21, 128),
  image: row('image', 'bytes', 20, -4, [34, 34], 7, 128),
  timestamp: row('timestamp', 'bytes', 80, -2, [37, 45], 19, 128),
  uniqueidentifier: row('uniqueidentifier', 'other', 0, -11, [37, 37], 14, 72),
  xml: row('xml', 'other', 0, -152, [0, 0], 25, 141),
  sql_variant: row('sql_variant', 'other', 0, -150, [39, 39], 23, 12),
  'table type': row('table type', 'other', 0, -153, [0, 0], 30, 143),
};

/** The type's name for drivers: a table type has its own. */
export const nameOfType = (type: AnyType): string => (isTableType(type) ? type.typeName.name : type.name);

/** The schema of a table type; the others are SQL Server's own, and have none. */
export const schemaOfType = (type: AnyType): string | null =>
  isTableType(type) ? (type.typeName.schema ?? 'dbo') : null;
